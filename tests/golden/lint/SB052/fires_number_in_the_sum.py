import torch
import torch.nn as nn
import torch.nn.functional as F


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(8, 4)
        self.dec = nn.Linear(2, 8)

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, dim=1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


def train(loader, beta=1.0):
    model = VAE()
    opt = torch.optim.Adam(model.parameters())
    for x in loader:
        recon, mu, logvar = model(x)
        rec = F.mse_loss(recon, x)
        kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).mean()
        loss = rec + beta * kl.item()  # expect: SB052
        opt.zero_grad()
        loss.backward()
        opt.step()
