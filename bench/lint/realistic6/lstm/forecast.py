"""Forecasts the next value of a noisy sine from a window of it."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm

from model import Forecaster

WINDOW = 20


def series(n):
    t = torch.arange(n).float()
    y = torch.sin(0.2 * t) + 0.1 * torch.randn(n)
    return torch.stack([y, torch.cos(0.02 * t)], dim=1)


def windows(values):
    x = values.unfold(0, WINDOW, 1)[:-1].transpose(1, 2)
    return TensorDataset(x.contiguous(), values[WINDOW:, 0])


def get_loaders(batch_size):
    values = series(700)
    train_loader = DataLoader(windows(values[:500]), batch_size=batch_size, shuffle=True)
    val_loader = DataLoader(windows(values[500:]), batch_size=batch_size)
    return train_loader, val_loader


def train_epoch(model, loader, optimizer, criterion):
    model.train()
    total = 0.0
    bar = tqdm(loader, disable=None)
    for x, y in bar:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        total += loss.item()
    return total / len(loader)


@torch.no_grad()
def validate(model, loader, criterion):
    model.eval()
    losses = [criterion(model(x), y).item() for x, y in loader]
    return sum(losses) / len(losses)


def main(epochs=2):
    torch.manual_seed(12)
    train_loader, val_loader = get_loaders(32)
    model = Forecaster()
    criterion = nn.HuberLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
    for epoch in range(epochs):
        train_loss = train_epoch(model, train_loader, optimizer, criterion)
        scheduler.step()
        val_loss = validate(model, val_loader, criterion)
        print(f"{epoch}: {train_loss:.4f} {val_loss:.4f}")


if __name__ == "__main__":
    main()
