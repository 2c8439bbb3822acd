"""Generator and discriminator of points on a ring."""

import torch
from torch import nn


class Generator(nn.Module):
    def __init__(self, z_dim=8, width=64):
        super().__init__()
        self.z_dim = z_dim
        self.body = nn.Sequential(
            nn.Linear(z_dim, width),
            nn.LeakyReLU(0.2),
            nn.Linear(width, width),
            nn.LeakyReLU(0.2),
            nn.Linear(width, 2),
        )

    def forward(self, z):
        return self.body(z)

    def sample(self, n, device):
        return self(torch.randn(n, self.z_dim, device=device))


class Discriminator(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.hidden = nn.Sequential(nn.Linear(2, width), nn.LeakyReLU(0.2), nn.Linear(width, width), nn.LeakyReLU(0.2))
        self.score = nn.Linear(width, 1)

    def forward(self, x):
        return self.score(self.hidden(x)).squeeze(1)
