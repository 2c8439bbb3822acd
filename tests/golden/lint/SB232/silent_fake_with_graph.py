import torch
from torch import nn


def train(loader, device):
    G, D = nn.Linear(8, 4).to(device), nn.Linear(4, 1).to(device)
    opt_g, opt_d = torch.optim.Adam(G.parameters()), torch.optim.Adam(D.parameters())
    bce = nn.BCEWithLogitsLoss()
    for real, _ in loader:
        real = real.to(device)
        n = real.size(0)
        ones, zeros = torch.ones(n, 1, device=device), torch.zeros(n, 1, device=device)
        opt_d.zero_grad()
        d_loss = bce(D(real), ones) + bce(D(G(torch.randn(n, 8, device=device)).detach()), zeros)
        d_loss.backward()
        opt_d.step()
        opt_g.zero_grad()
        fake = G(torch.randn(n, 8, device=device))
        g_loss = bce(D(fake), ones)
        g_loss.backward()
        opt_g.step()
