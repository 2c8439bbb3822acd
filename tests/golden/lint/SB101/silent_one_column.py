import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(8, 5)

    def forward(self, x):
        return torch.sigmoid(self.out(x)), self.out(x)


net = Net()


def loss_of(x, y):
    out = net(x)
    return nn.functional.cross_entropy(out[1], y)
