import torch
import torch.nn as nn
from torch import autograd
from torch.optim import Adam
from torch.utils.data import DataLoader, TensorDataset

LATENT, DATA, N_CRITIC, LAMBDA = 8, 2, 3, 10.0


def mlp(sizes, last=None):
    layers = []
    for i in range(len(sizes) - 1):
        layers.append(nn.Linear(sizes[i], sizes[i + 1]))
        if i < len(sizes) - 2:
            layers.append(nn.LeakyReLU(0.2))
    if last is not None:
        layers.append(last)
    return nn.Sequential(*layers)


def gradient_penalty(critic, real, fake):
    eps = torch.rand(real.size(0), 1)
    mixed = (eps * real + (1 - eps) * fake).requires_grad_(True)
    score = critic(mixed)
    grad, = autograd.grad(score.sum(), mixed, create_graph=True)
    return ((grad.norm(2, dim=1) - 1) ** 2).mean()


class WGAN:
    def __init__(self):
        self.G = mlp([LATENT, 32, DATA])
        self.D = mlp([DATA, 32, 1])
        self.opt_g = Adam(self.G.parameters(), lr=1e-4, betas=(0.0, 0.9))
        self.opt_d = Adam(self.D.parameters(), lr=1e-4, betas=(0.0, 0.9))
        self.log = {"d": 0.0, "g": 0.0}

    def critic_step(self, real):
        z = torch.randn(real.size(0), LATENT)
        fake = self.G(z).detach()
        loss = self.D(fake).mean() - self.D(real).mean() + LAMBDA * gradient_penalty(self.D, real, fake)
        self.opt_d.zero_grad()
        loss.backward()
        self.opt_d.step()
        self.log["d"] += loss.item()

    def generator_step(self, n):
        z = torch.randn(n, LATENT)
        loss = -self.D(self.G(z)).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        self.log["g"] += loss.item()

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            for i, (real,) in enumerate(loader):
                self.critic_step(real)
                if i % N_CRITIC == 0:
                    self.generator_step(real.size(0))
            print(epoch, {k: v / len(loader) for k, v in self.log.items()})
            self.log = {k: 0.0 for k in self.log}

    @torch.no_grad()
    def sample(self, n):
        return self.G(torch.randn(n, LATENT))


if __name__ == "__main__":
    torch.manual_seed(0)
    angles = torch.rand(512) * 6.28
    points = torch.stack([angles.cos(), angles.sin()], dim=1) + 0.05 * torch.randn(512, 2)
    gan = WGAN()
    gan.fit(DataLoader(TensorDataset(points), batch_size=64, shuffle=True), epochs=1)
    torch.save({"G": gan.G.state_dict(), "D": gan.D.state_dict()}, "wgan.pt")
    print(gan.sample(4))
