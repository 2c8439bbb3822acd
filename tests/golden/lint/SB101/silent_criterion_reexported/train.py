import torch
from torch import nn

from shop import usual


def train(loader):
    net = nn.Sequential(nn.Linear(4, 3), nn.Softmax(dim=1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        usual(net(x), y).backward()
        optimizer.step()
