import contextlib
import torch
from torch import nn
import torch.nn.functional as F


def train_epoch(parts, loader):
    parts["model"].train()
    total = 0.0
    for x, y in loader:
        pass
        out = parts["model"](x)
        loss = parts["crit"](out, y)
        loss.backward()  # expect: SB032
        parts["opt"].step()
        total += loss.item()
    return float(total)


def evaluate(parts, loader):
    parts["model"].eval()
    correct = 0
    with torch.no_grad():
        for x, y in loader:
            correct += (parts["model"](x).argmax(1) == y).sum().item()
    return correct
