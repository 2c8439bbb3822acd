import torch
from torch import nn
from torch.nn import functional as F


def step(model: nn.Module, x, y):
    logits = model(x)
    loss = F.binary_cross_entropy_with_logits(logits, y)
    hits = (torch.sigmoid(logits) > 0.5) == y
    return loss, hits
