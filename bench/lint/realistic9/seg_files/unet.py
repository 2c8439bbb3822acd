import torch
import torch.nn as nn
import torch.nn.functional as F


def double(cin, cout):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, padding=1), nn.GroupNorm(4, cout), nn.ReLU(inplace=True),
        nn.Conv2d(cout, cout, 3, padding=1), nn.GroupNorm(4, cout), nn.ReLU(inplace=True),
    )


class UNet(nn.Module):
    def __init__(self, in_ch=3, classes=4, width=8):
        super().__init__()
        self.down1, self.down2 = double(in_ch, width), double(width, 2 * width)
        self.bottom = double(2 * width, 4 * width)
        self.up2, self.up1 = double(6 * width, 2 * width), double(3 * width, width)
        self.out = nn.Conv2d(width, classes, 1)
        self.aux = nn.Conv2d(4 * width, classes, 1)

    def forward(self, x):
        a = self.down1(x)
        b = self.down2(F.max_pool2d(a, 2))
        c = self.bottom(F.max_pool2d(b, 2))
        u = F.interpolate(c, size=b.shape[-2:], mode="bilinear", align_corners=False)
        u = self.up2(torch.cat([u, b], dim=1))
        u = F.interpolate(u, size=a.shape[-2:], mode="bilinear", align_corners=False)
        u = self.up1(torch.cat([u, a], dim=1))
        if self.training:
            return self.out(u), F.interpolate(self.aux(c), size=x.shape[-2:], mode="bilinear", align_corners=False)
        return self.out(u)
