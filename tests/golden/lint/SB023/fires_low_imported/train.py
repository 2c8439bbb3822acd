import torch
from torch import nn


def fit(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


def validate(model: nn.Module, loader):
    hits = 0
    for x, y in loader:
        hits += (model(x).argmax(1) == y).sum().item()  # expect: SB023 low
    return hits



if __name__ == "__main__":
    net = nn.Sequential(nn.Linear(4, 4), nn.Dropout(), nn.Linear(4, 2))
    print(validate(net, []))
