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
        hits += (model(x).argmax(1) == y).sum().item()
    return hits



model = nn.Sequential(nn.Linear(4, 4), nn.Dropout(), nn.Linear(4, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
fit(model, [], optimizer)
model.eval()
validate(model, [])
