import torch
from torch import nn


def evaluate(model, loader):
    right = 0
    with torch.no_grad():
        for x, y in loader:
            right += ((model(x).squeeze(1) > 0.5).long() == y).sum().item()  # expect: SB259
    return right


def main(loader):
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.Adam(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x).squeeze(1), y).backward()
        optimizer.step()
    return evaluate(model, loader)
