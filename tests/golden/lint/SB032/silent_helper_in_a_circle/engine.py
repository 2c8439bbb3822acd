import torch
from torch import nn

import steps


def train(loader):
    net = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    criterion = nn.MSELoss()
    for x, y in loader:
        steps.clear(optimizer)
        loss = criterion(net(x), y)
        loss.backward()
        optimizer.step()


def size_of(loader):
    return len(loader)
