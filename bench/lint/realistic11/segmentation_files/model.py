"""A small U-shaped network."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def double_conv(c_in: int, c_out: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(c_in, c_out, 3, padding=1, bias=False),
        nn.BatchNorm2d(c_out),
        nn.ReLU(inplace=True),
        nn.Conv2d(c_out, c_out, 3, padding=1, bias=False),
        nn.BatchNorm2d(c_out),
        nn.ReLU(inplace=True),
    )


class SmallUNet(nn.Module):
    def __init__(self, n_classes: int, widths=(8, 16, 24)):
        super().__init__()
        channels = [1, *widths]
        self.encoder = nn.ModuleList(double_conv(a, b) for a, b in zip(channels, channels[1:]))
        ups = list(reversed(widths))
        self.decoder = nn.ModuleList([double_conv(a + b, b) for a, b in zip(ups, ups[1:])])
        self.drop = nn.Dropout2d(0.1)
        self.classifier = nn.Conv2d(widths[0], n_classes, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        skips = []
        for i, stage in enumerate(self.encoder):
            x = stage(x)
            if i + 1 < len(self.encoder):
                skips.append(x)
                x = F.max_pool2d(x, 2)
        x = self.drop(x)
        for stage in self.decoder:
            skip = skips.pop()
            x = F.interpolate(x, size=skip.shape[-2:], mode="bilinear", align_corners=False)
            x = stage(torch.cat([x, skip], dim=1))
        return self.classifier(x)
