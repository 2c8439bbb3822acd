import torch
import torch.nn as nn


def double_conv(c_in, c_out):
    return nn.Sequential(
        nn.Conv2d(c_in, c_out, 3, padding=1), nn.BatchNorm2d(c_out), nn.ReLU(inplace=True),
        nn.Conv2d(c_out, c_out, 3, padding=1), nn.BatchNorm2d(c_out), nn.ReLU(inplace=True),
    )


class UNet(nn.Module):
    def __init__(self, widths=(8, 16)):
        super().__init__()
        self.downs = nn.ModuleList()
        c = 1
        for width in widths:
            self.downs.append(double_conv(c, width))
            c = width
        self.pool = nn.MaxPool2d(2)
        self.up = nn.ConvTranspose2d(widths[1], widths[0], 2, stride=2)
        self.merge = double_conv(2 * widths[0], widths[0])
        self.out = nn.Conv2d(widths[0], 1, 1)

    def forward(self, x):
        skip = self.downs[0](x)
        deep = self.downs[1](self.pool(skip))
        return self.out(self.merge(torch.cat([skip, self.up(deep)], dim=1)))
