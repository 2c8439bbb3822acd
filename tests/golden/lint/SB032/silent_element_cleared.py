import torch
from torch import nn
from torch.nn import functional as F


def in_a_loop(model, data):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizers = [optimizer]
    for x, y in data:
        for each in optimizers:
            each.zero_grad()
        F.mse_loss(model(x), y).backward()
        optimizer.step()


def by_index(model, data):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizers = [optimizer]
    for x, y in data:
        optimizers[0].zero_grad()
        F.mse_loss(model(x), y).backward()
        optimizer.step()


def by_wrapper(model, data, Bundle):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    bundle = Bundle([optimizer])
    for x, y in data:
        bundle.clear()
        F.mse_loss(model(x), y).backward()
        optimizer.step()
