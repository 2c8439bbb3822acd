"""Two stages: a beta-VAE on curves, then a small diffusion model in its latent space."""
import argparse
from functools import partial

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

D, LATENT, STEPS = 40, 4, 50


def curves(n, seed):
    g = torch.Generator().manual_seed(seed)
    t = torch.linspace(0, 1, D)
    f, p, a = (torch.rand(n, 1, generator=g) for _ in range(3))
    return (0.5 + 0.4 * a * torch.sin(6.28 * (1 + 2 * f) * t + 6.28 * p)).clamp(0, 1)


class VAE(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(D, hidden), nn.SiLU(), nn.Linear(hidden, 2 * LATENT))
        self.dec = nn.Sequential(nn.Linear(LATENT, hidden), nn.SiLU(), nn.Linear(hidden, D))
        self.log_noise = nn.Parameter(torch.zeros(()))

    def encode(self, x):
        mu, logvar = self.enc(x).chunk(2, dim=1)
        return mu, logvar.clamp(-8, 8)

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = mu + torch.exp(0.5 * logvar) * torch.randn_like(mu)
        return self.dec(z), mu, logvar


def elbo(vae, x, beta):
    out, mu, logvar = vae(x)
    # Gaussian likelihood with a learned deviation
    nll = (0.5 * ((x - out) / vae.log_noise.exp()) ** 2 + vae.log_noise).sum(dim=1)
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(dim=1)
    return (nll + beta * kl).mean(), nll.mean().item(), kl.mean().item()


class Denoiser(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.time = nn.Embedding(STEPS, hidden)
        self.inp = nn.Linear(LATENT, hidden)
        self.mid = nn.ModuleList(nn.Linear(hidden, hidden) for _ in range(2))
        self.out = nn.Linear(hidden, LATENT)

    def forward(self, z, t):
        h = self.inp(z) + self.time(t)
        for layer in self.mid:
            h = h + F.silu(layer(h))
        return self.out(h)


betas = torch.linspace(1e-3, 0.15, STEPS)
alphas = 1 - betas
alpha_bar = alphas.cumprod(dim=0)


def diffusion_loss(net, z):
    t = torch.randint(0, STEPS, (z.size(0),))
    eps = torch.randn_like(z)
    ab = alpha_bar[t].unsqueeze(1)
    noisy = ab.sqrt() * z + (1 - ab).sqrt() * eps
    return F.mse_loss(net(noisy, t), eps)


@torch.no_grad()
def sample(net, n):
    z = torch.randn(n, LATENT)
    for i in reversed(range(STEPS)):
        eps = net(z, torch.full((n,), i, dtype=torch.long))
        z = (z - betas[i] / (1 - alpha_bar[i]).sqrt() * eps) / alphas[i].sqrt()
        if i > 0:
            z = z + betas[i].sqrt() * torch.randn_like(z)
    return z


def fit(params, loss_of, loader, epochs, lr, label):
    opt = torch.optim.Adam(params, lr=lr)
    for epoch in range(epochs):
        losses = []
        for (x,) in loader:
            loss = loss_of(x, epoch)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.detach())
        print(label, epoch, f"{torch.stack(losses).mean():.3f}")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=1)
    p.add_argument("--beta", type=float, default=1.0)
    p.add_argument("--anneal", type=int, default=5)
    a = p.parse_args()
    torch.manual_seed(6)
    loader_of = partial(DataLoader, batch_size=32, shuffle=True, drop_last=True)
    train, val = curves(640, 0), curves(100, 1)

    vae = VAE()
    fit(vae.parameters(), lambda x, e: elbo(vae, x, a.beta * min(1.0, (e + 1) / a.anneal))[0], loader_of(TensorDataset(train)), a.epochs, 2e-3, "vae")
    vae.eval().requires_grad_(False)
    with torch.no_grad():
        _, nll, kl = elbo(vae, val, 1.0)
        z = vae.encode(train)[0]
    scale = z.std(dim=0, keepdim=True) + 1e-6
    print(f"val nll {nll:.3f} kl {kl:.3f}")

    net = Denoiser()
    fit(net.parameters(), lambda x, e: diffusion_loss(net, x), loader_of(TensorDataset(z / scale)), a.epochs, 1e-3, "diffusion")
    drawn = vae.dec(sample(net, 64) * scale)
    print(f"samples mean {drawn.mean():.3f} std {drawn.std():.3f}, data mean {train.mean():.3f} std {train.std():.3f}")


if __name__ == "__main__":
    main()
