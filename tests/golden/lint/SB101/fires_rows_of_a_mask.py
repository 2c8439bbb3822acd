import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(8, 5)

    def forward(self, x):
        return self.out(x).softmax(dim=-1)


net = Net()


def loss_of(x, y, mask):
    out = net(x)
    return nn.functional.cross_entropy(out[mask], y[mask])  # expect: SB101
