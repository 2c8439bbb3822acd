"""A GAN on a ring of Gaussians."""
import math

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

LATENT = 8


def ring(n):
    angle = torch.randint(0, 8, (n,)) * (2 * math.pi / 8)
    centers = torch.stack([angle.cos(), angle.sin()], dim=1)
    return centers + 0.05 * torch.randn(n, 2)


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(LATENT, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 2)
        )

    def forward(self, z):
        return self.net(z)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Dropout(0.1), nn.Linear(32, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1)
        )

    def forward(self, x):
        return self.net(x).squeeze(1)


def train_discriminator(netD, netG, real, criterion, optimizer):
    batch = real.size(0)
    optimizer.zero_grad()
    loss_real = criterion(netD(real), torch.ones(batch))
    fake = netG(torch.randn(batch, LATENT))
    loss_fake = criterion(netD(fake.detach()), torch.zeros(batch))
    loss = loss_real + loss_fake
    loss.backward()
    optimizer.step()
    return loss.item()


def train_generator(netD, netG, batch, criterion, optimizer):
    optimizer.zero_grad()
    fake = netG(torch.randn(batch, LATENT))
    loss = criterion(netD(fake), torch.ones(batch))
    loss.backward()
    optimizer.step()
    return loss.item()


def sample(netG, n):
    netG.eval()
    with torch.no_grad():
        points = netG(torch.randn(n, LATENT))
    netG.train()
    return points


def main(epochs=1):
    torch.manual_seed(0)
    loader = DataLoader(TensorDataset(ring(512)), batch_size=64, shuffle=True, drop_last=True)
    netG, netD = Generator(), Discriminator()
    criterion = nn.BCEWithLogitsLoss()
    optimizerG = optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999))
    optimizerD = optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
    for epoch in range(epochs):
        sum_d = sum_g = 0.0
        for (real,) in loader:
            sum_d += train_discriminator(netD, netG, real, criterion, optimizerD)
            sum_g += train_generator(netD, netG, real.size(0), criterion, optimizerG)
        radius = sample(netG, 256).norm(dim=1)
        print(f"{epoch} d {sum_d:.3f} g {sum_g:.3f} radius {radius.mean().item():.3f}")


if __name__ == "__main__":
    main()
