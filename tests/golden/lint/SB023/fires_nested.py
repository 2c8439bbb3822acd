import torch
from torch import nn


def fit(loader, held_out, epochs):
    model = nn.Sequential(nn.Linear(4, 4), nn.Dropout(), nn.Linear(4, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def evaluate(net: nn.Module):
        hits = 0
        for x, y in held_out:
            hits += (net(x).argmax(1) == y).sum().item()  # expect: SB023
        return hits

    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        print(evaluate(model))
