import math

import torch
from torch import nn


def time_embedding(t, dim):
    half = dim // 2
    freqs = torch.exp(-math.log(10000.0) * torch.arange(half, device=t.device) / half)
    angles = t[:, None].float() * freqs[None]
    return torch.cat([angles.sin(), angles.cos()], dim=-1)


class Block(nn.Module):
    def __init__(self, channels, emb):
        super().__init__()
        self.norm = nn.GroupNorm(4, channels)
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)
        self.shift = nn.Linear(emb, channels)
        self.drop = nn.Dropout(0.1)

    def forward(self, x, emb):
        h = self.conv(torch.relu(self.norm(x)))
        return x + self.drop(h + self.shift(emb)[:, :, None, None])


class TinyUNet(nn.Module):
    def __init__(self, width=16, emb=16, depth=3):
        super().__init__()
        self.emb = emb
        self.stem = nn.Conv2d(1, width, 3, padding=1)
        self.blocks = nn.ModuleList([Block(width, emb) for _ in range(depth)])
        self.head = nn.Conv2d(width, 1, 3, padding=1)

    def forward(self, x, t):
        emb = time_embedding(t, self.emb)
        x = self.stem(x)
        for block in self.blocks:
            x = block(x, emb)
        return self.head(x)
