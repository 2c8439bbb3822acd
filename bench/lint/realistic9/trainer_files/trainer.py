from __future__ import annotations

import copy
import logging
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader

log = logging.getLogger("trainer")


@dataclass
class Config:
    epochs: int = 1
    batch_size: int = 32
    lr: float = 3e-4
    weight_decay: float = 1e-2
    clip_norm: float = 1.0
    patience: int = 5
    device: str = "cpu"
    out: Path = Path("ecg.pt")


class Trainer:
    def __init__(self, model: nn.Module, loaders: dict[str, DataLoader], cfg: Config) -> None:
        self.cfg = cfg
        self.model = model.to(cfg.device)
        self.loaders = loaders
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay)
        self.scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(self.optimizer, mode="min", patience=2)
        self.best_loss = float("inf")
        self.best_state: dict | None = None
        self.bad_epochs = 0

    def _train_epoch(self) -> float:
        self.model.train()
        total, count = 0.0, 0
        for inputs, targets in self.loaders["train"]:
            inputs, targets = inputs.to(self.cfg.device), targets.to(self.cfg.device)
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(inputs), targets)
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.clip_norm)
            self.optimizer.step()
            total += loss.item() * inputs.size(0)
            count += inputs.size(0)
        return total / count

    @torch.inference_mode()
    def _evaluate(self, split: str) -> tuple[float, float]:
        self.model.eval()
        total, correct, count = 0.0, 0, 0
        for inputs, targets in self.loaders[split]:
            inputs, targets = inputs.to(self.cfg.device), targets.to(self.cfg.device)
            logits = self.model(inputs)
            total += self.criterion(logits, targets).item() * targets.size(0)
            correct += (logits.argmax(dim=1) == targets).sum().item()
            count += targets.size(0)
        return total / count, correct / count

    def fit(self) -> None:
        for epoch in range(self.cfg.epochs):
            train_loss = self._train_epoch()
            val_loss, val_acc = self._evaluate("val")
            self.scheduler.step(val_loss)
            log.info("epoch %d train %.4f val %.4f acc %.3f", epoch, train_loss, val_loss, val_acc)
            if val_loss < self.best_loss:
                self.best_loss, self.bad_epochs = val_loss, 0
                self.best_state = copy.deepcopy(self.model.state_dict())
                self.save()
            else:
                self.bad_epochs += 1
                if self.bad_epochs >= self.cfg.patience:
                    break

    def save(self) -> None:
        torch.save({"model": self.best_state, "optimizer": self.optimizer.state_dict(), "best": self.best_loss}, self.cfg.out)

    def test(self) -> tuple[float, float]:
        if self.best_state is not None:
            self.model.load_state_dict(self.best_state)
        return self._evaluate("test")
