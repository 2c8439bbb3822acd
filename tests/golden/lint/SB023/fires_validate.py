import torch
from torch import nn
from torch.nn import functional as F

def validate(model: nn.Module, loader):
    hits = 0
    for x, y in loader:
        hits += (model(x).argmax(1) == y).sum().item()  # expect: SB023 low
    return hits
