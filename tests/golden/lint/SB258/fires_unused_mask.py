import torch
from torch import nn
from torch.nn import functional as F


class Head(nn.Module):
    def __init__(self, n, block):
        super().__init__()
        self.key, self.query, self.value = nn.Linear(n, n), nn.Linear(n, n), nn.Linear(n, n)
        self.register_buffer("tril", torch.tril(torch.ones(block, block)))

    def forward(self, x):
        w = self.query(x) @ self.key(x).transpose(-2, -1)
        return F.softmax(w, dim=-1) @ self.value(x)  # expect: SB258
