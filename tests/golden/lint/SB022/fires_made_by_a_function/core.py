import torch
from torch import nn


def fit_epoch(net, batches, optimizer):
    net.train()
    for x, y in batches:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()


def score(net, batches):
    hits = 0
    with torch.no_grad():
        for x, y in batches:
            hits += (net(x).argmax(1) == y).sum().item()  # expect: SB022
    return hits
