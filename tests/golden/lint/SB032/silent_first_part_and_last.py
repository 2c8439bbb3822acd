import torch
from torch import nn


def update(model, xs, ys, parts):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    criterion = nn.MSELoss()
    for j in range(parts):
        loss = criterion(model(xs[j]), ys[j]) / parts
        if j == 0:
            optimizer.zero_grad()
        loss.backward()
        if j + 1 == parts:
            optimizer.step()
