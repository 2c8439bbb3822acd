import torch
from torch import nn

from steps import note


def train(loader):
    net = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    criterion = nn.MSELoss()
    for x, y in loader:
        note(optimizer, 1)
        loss = criterion(net(x), y)
        loss.backward()
        optimizer.step()
