import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)

    def forward(self, x):
        blur = nn.Conv1d(1, 1, 3, bias=False)
        blur.weight.data.fill_(1 / 3)
        return blur(self.body(x))
