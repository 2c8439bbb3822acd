import torch.nn as nn


class ResBlock(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(
            nn.BatchNorm2d(width), nn.ReLU(), nn.Conv2d(width, width, 3, padding=1),
            nn.BatchNorm2d(width), nn.ReLU(), nn.Conv2d(width, width, 3, padding=1),
        )

    def forward(self, x):
        return x + self.body(x)


class Generator(nn.Module):
    def __init__(self, z_dim=16, width=24, depth=2):
        super().__init__()
        self.width = width
        self.start = nn.Linear(z_dim, width * 4 * 4)
        self.blocks = nn.Sequential(*[ResBlock(width) for _ in range(depth)])
        self.up = nn.Upsample(scale_factor=4, mode="bilinear", align_corners=False)
        self.finish = nn.Sequential(nn.Conv2d(width, 1, 3, padding=1), nn.Tanh())

    def forward(self, z):
        x = self.start(z).view(-1, self.width, 4, 4)
        return self.finish(self.up(self.blocks(x)))


class Discriminator(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, width, 4, stride=2, padding=1), nn.LeakyReLU(0.2),
            nn.Conv2d(width, width * 2, 4, stride=2, padding=1), nn.LeakyReLU(0.2),
            nn.Flatten(),
        )
        self.verdict = nn.Linear(width * 2 * 16, 1)

    def forward(self, x):
        return self.verdict(self.features(x))
