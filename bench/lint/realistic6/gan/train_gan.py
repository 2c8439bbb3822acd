"""Adversarial training with two optimizers that step in turn."""

import math

import torch
from torch import nn

from networks import Discriminator, Generator


def ring(n, device):
    angle = 2 * math.pi * torch.rand(n, device=device)
    points = torch.stack([torch.cos(angle), torch.sin(angle)], dim=1)
    return points + 0.05 * torch.randn(n, 2, device=device)


class GAN:
    def __init__(self, device, lr=2e-4, batch=64):
        self.device = device
        self.batch = batch
        self.gen = Generator().to(device)
        self.disc = Discriminator().to(device)
        self.opt_gen = torch.optim.Adam(self.gen.parameters(), lr=lr, betas=(0.5, 0.999))
        self.opt_disc = torch.optim.Adam(self.disc.parameters(), lr=lr, betas=(0.5, 0.999))
        self.bce = nn.BCEWithLogitsLoss()

    def step_discriminator(self):
        real = ring(self.batch, self.device)
        fake = self.gen.sample(self.batch, self.device).detach()
        self.opt_disc.zero_grad()
        real_score = self.disc(real)
        fake_score = self.disc(fake)
        loss = self.bce(real_score, torch.ones_like(real_score)) + self.bce(fake_score, torch.zeros_like(fake_score))
        loss.backward()
        self.opt_disc.step()
        return loss.item()

    def step_generator(self):
        self.opt_gen.zero_grad()
        fake_score = self.disc(self.gen.sample(self.batch, self.device))
        loss = self.bce(fake_score, torch.ones_like(fake_score))
        loss.backward()
        self.opt_gen.step()
        return loss.item()

    def train(self, iterations):
        d_sum, g_sum = 0.0, 0.0
        for i in range(1, iterations + 1):
            d_sum += self.step_discriminator()
            g_sum += self.step_generator()
            if i % 20 == 0:
                print(f"{i}: d {d_sum / i:.3f} g {g_sum / i:.3f}")

    @torch.no_grad()
    def radius(self, n=500):
        self.gen.eval()
        mean = self.gen.sample(n, self.device).norm(dim=1).mean().item()
        self.gen.train()
        return mean


def main():
    torch.manual_seed(2)
    gan = GAN(torch.device("cuda" if torch.cuda.is_available() else "cpu"))
    gan.train(iterations=40)
    print("mean radius", gan.radius())
    torch.save(gan.gen.state_dict(), "generator.pt")


if __name__ == "__main__":
    main()
