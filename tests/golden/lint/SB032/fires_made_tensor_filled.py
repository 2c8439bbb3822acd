import torch
from torch import nn


def train(net: nn.Module, loader, loss):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        ones = torch.empty(8, 1).fill_(1.0)
        loss(net(x) * ones, y).backward()  # expect: SB032
        optimizer.step()
