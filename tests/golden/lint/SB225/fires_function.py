import torch
from torch import nn


def train(model, loader, criterion, epochs, args):
    for epoch in range(epochs):
        optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)  # expect: SB225
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
