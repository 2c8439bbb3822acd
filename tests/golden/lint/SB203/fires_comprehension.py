import torch
from torch import nn
from torch.nn import functional as F

class Net10(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.blocks = [nn.Conv2d(8, 8, 3) for _ in range(n)]  # expect: SB203

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x
