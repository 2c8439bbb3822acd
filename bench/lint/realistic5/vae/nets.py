import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, n_in, hidden, latent):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, hidden), nn.BatchNorm1d(hidden), nn.ReLU())
        self.mu = nn.Linear(hidden, latent)
        self.logvar = nn.Linear(hidden, latent)

    def forward(self, x):
        h = self.body(x)
        return self.mu(h), self.logvar(h)


class Decoder(nn.Module):
    def __init__(self, latent, hidden, n_out):
        super().__init__()
        self.fc = nn.Linear(latent, hidden)
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(hidden, n_out)

    def forward(self, z):
        return self.out(self.drop(torch.relu(self.fc(z))))


class VAE(nn.Module):
    def __init__(self, n_in=64, hidden=48, latent=8):
        super().__init__()
        self.encoder = Encoder(n_in, hidden, latent)
        self.decoder = Decoder(latent, hidden, n_in)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        return mu + std * torch.randn_like(std)

    def forward(self, x):
        mu, logvar = self.encoder(x)
        z = self.reparameterize(mu, logvar)
        return self.decoder(z), mu, logvar
