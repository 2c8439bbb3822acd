import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR


def train_one_epoch(model, loader, optimizer, scheduler):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        scheduler.step()


def main(loader):
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = OneCycleLR(optimizer, 0.1, total_steps=10 * len(loader))
    for epoch in range(10):
        train_one_epoch(model, loader, optimizer, scheduler)
