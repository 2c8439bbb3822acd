import torch
from torch import nn


def train_step(model, x, y, criterion, optimizer):
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


def main(loader):
    model = nn.Linear(4, 2)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters())
    for x, y in loader:
        train_step(model, x, y, criterion, optimizer)


if __name__ == "__main__":
    main([])
