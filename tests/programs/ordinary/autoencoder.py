"""A variational autoencoder: noise inside the compiled model, a loss of two terms, samples of the decoder at the end."""

import torch
from torch import nn
from torch.nn import functional as F


class VAE(nn.Module):
    def __init__(self, n=20, hidden=24, latent=4):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(n, hidden), nn.ReLU())
        self.mean, self.log_variance = nn.Linear(hidden, latent), nn.Linear(hidden, latent)
        self.decoder = nn.Sequential(nn.Linear(latent, hidden), nn.ReLU(), nn.Linear(hidden, n))

    def reparameterize(self, mean, log_variance):
        if not self.training:
            return mean
        std = torch.exp(0.5 * log_variance)
        return mean + torch.randn_like(std) * std

    def forward(self, x):
        h = self.encoder(x)
        mean, log_variance = self.mean(h), self.log_variance(h)
        return self.decoder(self.reparameterize(mean, log_variance)), mean, log_variance


def loss_of(x, recon, mean, log_variance):
    bce = F.binary_cross_entropy_with_logits(recon, x, reduction="sum")
    return bce - 0.5 * torch.sum(1 + log_variance - mean.pow(2) - log_variance.exp())


torch.manual_seed(3)
vae = VAE()
fast = torch.compile(vae)
optimizer = torch.optim.Adam(vae.parameters(), lr=1e-2)
for step in range(20):
    x = (torch.rand(16, 20) > 0.7).float()
    optimizer.zero_grad()
    loss = loss_of(x, *fast(x))
    loss.backward()
    optimizer.step()
    if step % 5 == 0:
        print(step, loss.item() / len(x))
vae.eval()
with torch.no_grad():
    print(torch.sigmoid(vae.decoder(torch.randn(3, 4))).round(decimals=3))
    print(fast(x)[0].mean().item())
