import torch
import torch.nn as nn


class Patchify(nn.Module):
    def __init__(self, patch, d):
        super().__init__()
        self.patch = patch
        self.proj = nn.Linear(patch, d)

    def forward(self, x):
        b, length = x.shape
        return self.proj(x.view(b, length // self.patch, self.patch))


class PatchTransformer(nn.Module):
    def __init__(self, length=32, patch=4, horizon=4, d=16, depth=2):
        super().__init__()
        self.patchify = Patchify(patch, d)
        self.position = nn.Parameter(0.02 * torch.randn(1, length // patch, d))
        self.layers = nn.ModuleList()
        for _ in range(depth):
            self.layers.append(nn.TransformerEncoderLayer(d, 2, 2 * d, dropout=0.1, batch_first=True))
        self.head = nn.Linear(d * (length // patch), horizon)

    def forward(self, x):
        h = self.patchify(x) + self.position
        for layer in self.layers:
            h = layer(h)
        return self.head(h.flatten(1))
