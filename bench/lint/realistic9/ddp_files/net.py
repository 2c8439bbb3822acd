import torch
from torch import nn


class Depthwise(nn.Module):
    def __init__(self, c_in, c_out, stride):
        super().__init__()
        self.dw = nn.Conv2d(c_in, c_in, 3, stride=stride, padding=1, groups=c_in, bias=False)
        self.pw = nn.Conv2d(c_in, c_out, 1, bias=False)
        self.bn_dw = nn.BatchNorm2d(c_in)
        self.bn_pw = nn.BatchNorm2d(c_out)

    def forward(self, x):
        x = torch.relu(self.bn_dw(self.dw(x)))
        return torch.relu(self.bn_pw(self.pw(x)))


class TinyMobile(nn.Module):
    """Classifies a crop and tells its rotation (one of four) as a side task."""

    def __init__(self, classes):
        super().__init__()
        plan = [(8, 16, 1), (16, 32, 2), (32, 32, 1)]
        self.stem = nn.Conv2d(3, 8, 3, stride=2, padding=1)
        layers = []
        for c_in, c_out, stride in plan:
            layers.append(Depthwise(c_in, c_out, stride))
        self.layers = nn.ModuleList(layers)
        self.classify = nn.Linear(32, classes)
        self.rotation = nn.Linear(32, 4)

    def forward(self, x):
        x = self.stem(x)
        for layer in self.layers:
            x = layer(x)
        x = x.amax(dim=(-2, -1))
        return self.classify(x), self.rotation(x)
