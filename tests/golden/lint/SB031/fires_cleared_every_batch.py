import torch
from torch import nn
from torch.nn import functional as F

model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train(loader):
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()  # expect: SB031
        F.cross_entropy(model(x), y).backward()
        if i % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()
