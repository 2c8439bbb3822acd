import torch
from torch import nn

import shop
from shop import Criterion, usual


def train(loader):
    net = nn.Sequential(nn.Linear(4, 3), nn.Softmax(dim=1))
    own = Criterion()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        loss = own(net(x), y)  # expect: SB101
        loss = loss + usual(net(x), y)  # expect: SB101
        loss = loss + shop.usual(net(x), y)  # expect: SB101
        loss.backward()
        optimizer.step()
