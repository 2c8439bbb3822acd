import torch
from torch import nn


def main(loader):
    net, criterion = nn.Linear(4, 2), nn.CrossEntropyLoss()
    first = torch.optim.Adam(net.parameters(), lr=1e-2)
    second = torch.optim.SGD(net.parameters(), lr=1e-3)
    for optimizer in (first, second):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(net(x), y).backward()
            optimizer.step()
    for x, y in loader:
        first.zero_grad()
        criterion(net(x), y).backward()
        first.step()
        second.zero_grad()
        criterion(net(x), y).backward()
        second.step()
