import torch
from torch import nn


def train(net: nn.Module, loader, loss):
    for x, y in loader:
        loss(net(x), y).backward()  # expect: SB032 low
        for weight in net.parameters():
            weight.data.sub_(weight.grad.data * 0.1)
