import torch
from torch import nn


class Labeller:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(3, 2), nn.Dropout())
        self.net.eval()

    @torch.no_grad()
    def label(self, x):
        return self.net(x).argmax(1).item()
