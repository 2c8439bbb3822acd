import torch
from torch import nn


class Smooth(nn.Module):
    def edge_loss(self, x):
        blur = nn.Conv2d(1, 1, 3, bias=False)
        blur.weight.data.fill_(1 / 9)
        return (x - blur(x)).abs().mean()

    def level_loss(self, x):
        with torch.no_grad():
            probe = nn.Linear(4, 4)
            y = probe(x)
        return (x - y).abs().mean()
