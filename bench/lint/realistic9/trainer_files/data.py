from __future__ import annotations

import torch
from torch import Tensor
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler


def synthesize(n: int, leads: int, length: int, classes: int, seed: int) -> tuple[Tensor, Tensor]:
    g = torch.Generator().manual_seed(seed)
    probs = torch.tensor([0.7, 0.15, 0.1, 0.05][:classes])
    y = torch.multinomial(probs, n, replacement=True, generator=g)
    t = torch.linspace(0, 6.28, length)
    x = torch.sin(t * (1 + y.view(-1, 1, 1))) + 0.5 * torch.randn(n, leads, length, generator=g)
    return 40.0 * x + 12.0, y


def make_loaders(batch_size: int, leads: int = 2, length: int = 64, classes: int = 4) -> dict[str, DataLoader]:
    x, y = synthesize(600, leads, length, classes, seed=3)
    n_train, n_val = 400, 100
    train_x, train_y = x[:n_train], y[:n_train]
    mean = train_x.mean(dim=(0, 2), keepdim=True)
    std = train_x.std(dim=(0, 2), keepdim=True)
    x = (x - mean) / std
    splits = {
        "train": TensorDataset(x[:n_train], y[:n_train]),
        "val": TensorDataset(x[n_train:n_train + n_val], y[n_train:n_train + n_val]),
        "test": TensorDataset(x[n_train + n_val:], y[n_train + n_val:]),
    }
    counts = torch.bincount(train_y, minlength=classes).float()
    weights = (1.0 / counts.clamp(min=1))[train_y]
    sampler = WeightedRandomSampler(weights, num_samples=len(weights), replacement=True)
    return {
        "train": DataLoader(splits["train"], batch_size, sampler=sampler, drop_last=True),
        "val": DataLoader(splits["val"], batch_size),
        "test": DataLoader(splits["test"], batch_size),
    }
