import torch
from torch import nn


def train_epoch(model, loader, criterion, optimizer, device):
    model.train()
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        optimizer.step()  # expect: SB031
        loss.backward()
