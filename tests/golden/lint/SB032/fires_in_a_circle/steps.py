import torch
from torch import nn

import engine


def train(loader):
    net = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    criterion = nn.MSELoss()
    for x, y in loader:
        engine.note(optimizer)
        loss = criterion(net(x), y)
        loss.backward()  # expect: SB032
        optimizer.step()
