import torch
from torch import nn
from torch.utils.data import DataLoader

from config import Config


class Trainer:
    def __init__(self, cfg: Config, model: nn.Module, criterion: nn.Module, train_loader: DataLoader, val_loader: DataLoader):
        self.cfg = cfg
        self.model = model
        self.criterion = criterion
        self.train_loader = train_loader
        self.val_loader = val_loader
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.optim.lr, weight_decay=cfg.optim.weight_decay)
        self.scheduler = torch.optim.lr_scheduler.ExponentialLR(self.optimizer, gamma=cfg.optim.gamma)

    def _step(self, batch) -> torch.Tensor:
        x, price, kind = batch
        out = self.model(x)
        loss = self.criterion(out, price, kind)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.detach()

    def _run_epoch(self) -> float:
        self.model.train()
        total = torch.zeros(())
        for batch in self.train_loader:
            total += self._step(batch)
        return total.item() / len(self.train_loader)

    @torch.no_grad()
    def _validate(self) -> dict:
        self.model.eval()
        hits, error, n = 0, 0.0, 0
        for x, price, kind in self.val_loader:
            out = self.model(x)
            hits += (out["kind"].argmax(dim=1) == kind).sum().item()
            error += (out["price"] - price).abs().sum().item()
            n += len(x)
        return {"accuracy": hits / n, "mae": error / n}

    def fit(self) -> None:
        for epoch in range(self.cfg.epochs):
            loss = self._run_epoch()
            metrics = self._validate()
            self.scheduler.step()
            print(f"epoch {epoch} loss {loss:.4f}", metrics)
        self.save()

    def save(self) -> None:
        state = {"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict()}
        torch.save(state, self.cfg.checkpoint)
