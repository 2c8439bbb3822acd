import torch
from torch import nn


def block(c_in, c_out):
    return nn.Sequential(nn.Conv2d(c_in, c_out, 3), nn.ReLU())


class Net(nn.Module):
    def __init__(self, widths):
        super().__init__()
        self.stages = []  # expect: SB203
        c = 3
        for width in widths:
            self.stages.append(block(c, width))
            c = width

    def forward(self, x):
        for stage in self.stages:
            x = stage(x)
        return x
