import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()


def main(loader):
    model = nn.Linear(4, 2)
    optimizer = torch.optim.Adam(model.parameters())
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)  # expect: SB237
    for epoch in range(10):
        train_epoch(model, loader, optimizer)
