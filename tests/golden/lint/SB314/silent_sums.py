import torch.nn as nn
import torch.nn.functional as F


def summed(model, loader):
    total = 0
    for x, y in loader:
        total += F.nll_loss(model(x), y, reduction="sum").item()
    return total / len(loader.dataset)


def weighed(model, loader):
    total = 0
    for x, y in loader:
        total += F.nll_loss(model(x), y).item() * len(y)
    return total / len(loader.dataset)


def of_batches(model, loader):
    total = 0
    for x, y in loader:
        total += F.nll_loss(model(x), y).item()
    return total / len(loader)
