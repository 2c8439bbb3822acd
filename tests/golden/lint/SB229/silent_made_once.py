import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.head = None

    def forward(self, x):
        if self.head is None:
            self.head = nn.Linear(8, 2)
        return self.head(self.body(x))
