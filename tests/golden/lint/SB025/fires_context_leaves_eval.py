import torch
import torch.nn.functional as F
from torch import nn


from contextlib import contextmanager


@contextmanager
def evaluating(net):
    net.eval()  # expect: SB025
    with torch.no_grad():
        yield net


def fit(net, loader, val, optimizer):
    net.train()
    for epoch in range(3):
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        with evaluating(net) as n:
            print(sum(F.cross_entropy(n(x), y).item() for x, y in val))
