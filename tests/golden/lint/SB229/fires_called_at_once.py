import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)

    def forward(self, x):
        x = self.body(x)
        return nn.Linear(8, 2)(x)  # expect: SB229
