import torch
from torch import nn
from torch.nn import functional as F

generator, critic = nn.Linear(4, 2), nn.Linear(4, 2)
optimizer_g = torch.optim.SGD(generator.parameters(), lr=0.1)
optimizer_d = torch.optim.SGD(critic.parameters(), lr=0.1)


def train(loader):
    for i, (x, y) in enumerate(loader):
        optimizer_d.zero_grad()
        optimizer_g.zero_grad()
        F.cross_entropy(critic(x), y).backward()
        optimizer_d.step()
        F.cross_entropy(generator(x), y).backward()
        if i % 4 == 0:
            optimizer_g.step()
