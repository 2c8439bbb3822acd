import torch
from torch import nn


def train(generator: nn.Module, critic: nn.Module, loader):
    criterion = nn.MSELoss()
    optimizer = torch.optim.Adam(generator.parameters())
    for x, y in loader:
        loss = criterion(generator(x), y)
        critic.zero_grad()
        loss.backward()  # expect: SB032
        optimizer.step()
