import torch
from torch import nn


def predict(model: nn.Module, loader):
    model.eval()
    with torch.no_grad():
        return [torch.sigmoid(model(x)) > 0.3 for x, _ in loader]


def fit(model: nn.Module, loader):
    criterion = nn.CrossEntropyLoss()  # expect: SB260
    optimizer = torch.optim.Adam(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
