import torch
from torch import nn
from torch.nn import functional as F


class Head(nn.Module):
    def __init__(self, n, block):
        super().__init__()
        self.register_buffer("tril", torch.tril(torch.ones(block, block)))

    def forward(self, q, k, v):
        w = q @ k.transpose(-2, -1)
        w = w.masked_fill(self.tril[: w.size(-1)] == 0, float("-inf"))
        w = F.softmax(w, dim=-1).masked_fill(w.isinf().all(-1, keepdim=True), 0.0)
        return w @ v
