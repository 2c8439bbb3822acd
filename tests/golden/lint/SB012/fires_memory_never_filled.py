import torch
from torch import nn


class Mix(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(n, n))  # expect: SB012 low

    def forward(self, x):
        return x @ self.weight


class LowRank(nn.Module):
    def __init__(self, n, rank):
        super().__init__()
        self.a = nn.Parameter(torch.empty((n, rank)))  # expect: SB012 low
        self.b = nn.Parameter(torch.zeros(rank, n))
