import torch
import torch.nn.functional as F
from torch import nn


def train(model, loader, optimizer):
    for x, y, z in loader:
        a, b = model(x)
        loss = F.cross_entropy(a, y)  # expect: SB276
        loss = F.mse_loss(b, z)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
