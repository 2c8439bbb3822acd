import torch
from torch import nn


class ConvBlock(nn.Sequential):
    def __init__(self, c_in, c_out):
        super().__init__(nn.Conv2d(c_in, c_out, 3, padding=1, bias=False), nn.BatchNorm2d(c_out), nn.ReLU(inplace=True), nn.MaxPool2d(2))


class SmallNet(nn.Module):
    def __init__(self, num_classes=10, width=8):
        super().__init__()
        self.stages = nn.ModuleList([ConvBlock(3, width), ConvBlock(width, 2 * width)])
        self.head = nn.Linear(2 * width, num_classes)

    def forward(self, x):
        for stage in self.stages:
            x = stage(x)
        x = x.mean(dim=(2, 3))
        return self.head(x)


class EMA:
    """Exponential moving average of a network's weights."""

    def __init__(self, averaged, decay):
        self.module = averaged
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for a, p in zip(self.module.parameters(), model.parameters()):
            a.lerp_(p, 1 - self.decay)
        for a, b in zip(self.module.buffers(), model.buffers()):
            a.copy_(b)
