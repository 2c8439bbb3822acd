import logging
from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader

from dataset import make_splits
from model import PriceNet

log = logging.getLogger("fit")


@dataclass
class Config:
    epochs: int = 1
    batch_size: int = 64
    lr: float = 3e-3
    clip: float = 1.0
    patience: int = 5
    seed: int = 11
    path: str = "price_net.pt"


def rmse(model, loader, scaler):
    """Root mean squared error in the currency of the data."""
    model.eval()
    total, count = 0.0, 0
    with torch.no_grad():
        for x, y in loader:
            pred = scaler.inverse(model(x))
            true = scaler.inverse(y)
            total += ((pred - true) ** 2).sum().item()
            count += len(y)
    return (total / count) ** 0.5


def fit(cfg: Config):
    torch.manual_seed(cfg.seed)
    train, val, test, scaler = make_splits(cfg.seed)
    train_dl = DataLoader(train, cfg.batch_size, shuffle=True)
    val_dl = DataLoader(val, 128)
    test_dl = DataLoader(test, 128)

    model = PriceNet(train.tensors[0].shape[1])
    criterion = nn.MSELoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode="min", patience=2)

    best, bad = float("inf"), 0
    for epoch in range(cfg.epochs):
        model.train()
        for x, y in train_dl:
            optimizer.zero_grad(set_to_none=True)
            loss = criterion(model(x), y)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), cfg.clip)
            optimizer.step()

        score = rmse(model, val_dl, scaler)
        scheduler.step(score)
        log.info("epoch %d: last batch %.4f, val rmse %.0f", epoch, loss.item(), score)
        if score < best:
            best, bad = score, 0
            torch.save(model.state_dict(), cfg.path)
        else:
            bad += 1
            if bad >= cfg.patience:
                log.info("no better for %d epochs, stopping", bad)
                break

    model.load_state_dict(torch.load(cfg.path, weights_only=True))
    log.info("test rmse %.0f", rmse(model, test_dl, scaler))


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    fit(Config())
