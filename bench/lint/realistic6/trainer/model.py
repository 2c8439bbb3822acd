"""A feed-forward regressor of several targets."""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width, p):
        super().__init__()
        self.norm = nn.BatchNorm1d(width)
        self.linear = nn.Linear(width, width)
        self.dropout = nn.Dropout(p)

    def forward(self, x):
        return x + self.dropout(torch.relu(self.linear(self.norm(x))))


class Regressor(nn.Module):
    def __init__(self, n_in, n_out, width=32, depth=3, p=0.1):
        super().__init__()
        self.stem = nn.Linear(n_in, width)
        self.blocks = nn.Sequential(*[Block(width, p) for _ in range(depth)])
        self.head = nn.Linear(width, n_out)

    def forward(self, x):
        return self.head(self.blocks(self.stem(x)))
