import torch
from torch import Tensor, nn


def double_conv(cin: int, cout: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, padding=1, bias=False), nn.BatchNorm2d(cout), nn.ReLU(inplace=True),
        nn.Conv2d(cout, cout, 3, padding=1, bias=False), nn.BatchNorm2d(cout), nn.ReLU(inplace=True),
    )


class UNet(nn.Module):
    def __init__(self, width: int, depth: int = 2):
        super().__init__()
        sizes = [width * 2**i for i in range(depth + 1)]
        self.stem = double_conv(1, sizes[0])
        self.down = nn.ModuleDict({f"d{i}": double_conv(sizes[i], sizes[i + 1]) for i in range(depth)})
        self.up = nn.ModuleDict({f"u{i}": double_conv(sizes[i + 1] + sizes[i], sizes[i]) for i in range(depth)})
        self.drop = nn.Dropout2d(0.1)
        self.head = nn.Conv2d(width, 1, 1)

    def forward(self, x: Tensor) -> Tensor:
        skips = []
        x = self.stem(x)
        for block in self.down.values():
            skips.append(x)
            x = block(nn.functional.max_pool2d(x, 2))
        x = self.drop(x)
        for name in reversed(list(self.up)):
            x = nn.functional.interpolate(x, scale_factor=2.0)
            x = self.up[name](torch.cat([x, skips.pop()], dim=1))
        return self.head(x)
