import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8))
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.body(x))


def renew_statistics(net: Net, loader):
    net.train()
    with torch.no_grad():
        for x, _ in loader:
            net(x)
