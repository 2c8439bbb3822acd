import torch
from torch import nn


def train(model, loader, optimizer, criterion):
    losses = []
    for epoch in range(3):
        for x, y in loader:
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss)  # expect: SB204
        print(sum(losses) / len(losses))
