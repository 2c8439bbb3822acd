import torch
import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v = nn.Linear(width, width), nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x):
        n, t, c = x.shape
        q = self.q(x).view(n, t, self.heads, c // self.heads).transpose(1, 2)
        k = self.k(x).view(n, t, self.heads, c // self.heads).transpose(1, 2)
        v = self.v(x).view(n, t, self.heads, c // self.heads).transpose(1, 2)
        y = F.scaled_dot_product_attention(q, k, v)
        return y.reshape(n, t, c)  # expect: SB111
