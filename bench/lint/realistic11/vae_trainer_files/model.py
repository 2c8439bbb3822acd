"""Convolutional VAE for 16x16 pictures."""
import torch
from torch import nn
from torch.distributions import Normal


class Encoder(nn.Module):
    def __init__(self, latent: int, width: int):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, width, 4, 2, 1), nn.BatchNorm2d(width), nn.LeakyReLU(0.1),
            nn.Conv2d(width, 2 * width, 4, 2, 1), nn.BatchNorm2d(2 * width), nn.LeakyReLU(0.1), nn.Flatten())
        self.mu = nn.Linear(2 * width * 16, latent)
        self.logvar = nn.Linear(2 * width * 16, latent)

    def forward(self, x):
        h = self.body(x)
        return self.mu(h), self.logvar(h).clamp(-8, 8)


class Decoder(nn.Module):
    def __init__(self, latent: int, width: int, depth: int = 2):
        super().__init__()
        self.enter = nn.Linear(latent, 2 * width * 16)
        self.refine = nn.ModuleList([nn.Conv2d(2 * width, 2 * width, 3, padding=1) for _ in range(depth)])
        self.up = nn.ConvTranspose2d(2 * width, width, 4, 2, 1)
        self.out = nn.ConvTranspose2d(width, 1, 4, 2, 1)

    def forward(self, z):
        h = self.enter(z).relu().unflatten(1, (-1, 4, 4))
        for conv in self.refine:
            h = h + conv(h).relu()
        return self.out(self.up(h).relu())


class VAE(nn.Module):
    def __init__(self, latent: int = 6, width: int = 10):
        super().__init__()
        self.latent = latent
        self.encoder = Encoder(latent, width)
        self.decoder = Decoder(latent, width)

    def forward(self, x):
        mu, logvar = self.encoder(x)
        std = torch.exp(0.5 * logvar)
        z = Normal(mu, std).rsample() if self.training else mu
        return self.decoder(z), mu, logvar

    def sample(self, n: int):
        z = torch.randn(n, self.latent, device=self.decoder.enter.weight.device)
        return torch.sigmoid(self.decoder(z))
