import torch
from torch import nn


def fit(model, xs, ys, online=False):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    criterion = nn.MSELoss()
    if not online:
        optimizer.zero_grad()
    for x, y in zip(xs, ys):
        if online:
            optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        if online:
            optimizer.step()
    if not online:
        optimizer.step()
