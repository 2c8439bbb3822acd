import torch
from torch import nn
from torch.utils.data import DataLoader

from digits import Digits


def run_epoch(model, batches, optimizer=None):
    total = 0.0
    for x, y in batches:
        loss = nn.functional.cross_entropy(model(x), y)
        total += loss.item()
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return total


model = nn.Linear(784, 10)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
first = DataLoader(Digits("a"), batch_size=64, shuffle=True)
second = DataLoader(Digits("b"), batch_size=64)
for _ in range(10):
    run_epoch(model, first, optimizer)
    with torch.no_grad():
        print(run_epoch(model, second))
