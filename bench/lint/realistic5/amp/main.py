import copy

import torch
from torch.utils.data import DataLoader, TensorDataset

from config import Config
from engine import train_one_epoch, validate
from network import EMA, SmallNet


def fake_images(n, seed):
    g = torch.Generator().manual_seed(seed)
    return TensorDataset(torch.randn(n, 3, 16, 16, generator=g), torch.randint(10, (n,), generator=g))


def main(cfg):
    torch.manual_seed(3)
    train_loader = DataLoader(fake_images(256, 1), cfg.batch_size, shuffle=True, drop_last=True)
    val_loader = DataLoader(fake_images(64, 2), cfg.batch_size)

    model = SmallNet()
    ema_model = copy.deepcopy(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=0.9, nesterov=True)
    steps = cfg.epochs * len(train_loader) // cfg.accum_steps
    state = {
        "model": model,
        "optimizer": optimizer,
        "scheduler": torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=cfg.lr, total_steps=steps),
        "scaler": torch.amp.GradScaler("cpu", enabled=cfg.amp),
        "ema": EMA(ema_model, cfg.ema_decay),
    }

    best = 0.0
    for epoch in range(cfg.epochs):
        loss = train_one_epoch(state, train_loader, cfg)
        accuracy = validate(ema_model, val_loader)
        print(f"epoch {epoch}: loss {loss:.4f}, accuracy {accuracy:.4f}")
        if accuracy >= best:
            best = accuracy
            torch.save({"model": model.state_dict(), "ema": ema_model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, "last.pt")


if __name__ == "__main__":
    main(Config())
