import torch
from torch import nn


def train_epoch(model, loader, criterion, optimizer, device):
    model.train()
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = criterion(model(x), y)
        optimizer.step()
        optimizer.zero_grad()
        loss.backward()
