import torch
from torch import nn


def evaluate(x):
    net = nn.Linear(2, 2)
    net.eval  # expect: SB231
    with torch.no_grad():
        return net(x)
