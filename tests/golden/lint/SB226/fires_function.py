import torch
from torch import nn


def train(model, optimizer, loader, criterion):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
    optimizer.step()  # expect: SB226
