import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)

    def forward(self, x):
        n, t, c = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q = q.view(n, t, self.heads, c // self.heads).transpose(1, 2)
        k = k.view(n, t, self.heads, c // self.heads).transpose(1, 2)
        v = v.view(n, t, self.heads, c // self.heads).transpose(1, 2)
        y = (q @ k.transpose(-2, -1)).softmax(dim=-1) @ v
        y = y.transpose(1, 2)
        return y.reshape(n, t, c)


def pooled(q, k, n, t):
    weights = q.view(n, t, 4, 8).transpose(1, 2) @ k
    return weights.reshape(n * 4, t, -1)
