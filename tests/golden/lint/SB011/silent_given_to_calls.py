import torch
from torch import nn


def damaged_copies(folder, changes, expected):
    model = nn.Linear(4, 2)
    for name, change in changes:
        saved = torch.load(folder / "full.bin", weights_only=True)
        change(saved)
        torch.save(saved, folder / name)
    whole = torch.load(folder / "full.bin", weights_only=True)
    if set(whole) != set(expected):
        raise ValueError("factors are missing")
    return model


def count_operations(folder):
    sample = torch.load(folder / "conv_input.pth")
    model = nn.Conv2d(3, 5, kernel_size=2)
    model(sample)
    return model
