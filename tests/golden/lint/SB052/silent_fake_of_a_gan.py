import torch
import torch.nn as nn


def train(loader, G, D):
    og = torch.optim.Adam(G.parameters())
    od = torch.optim.Adam(D.parameters())
    bce = nn.BCEWithLogitsLoss()
    for real, _ in loader:
        z = torch.randn(real.size(0), 100)
        fake = G(z)
        r, f = D(real), D(fake.detach())
        loss_d = bce(r, torch.ones_like(r)) + bce(f, torch.zeros_like(f))
        od.zero_grad()
        loss_d.backward()
        od.step()
        g = D(fake)
        loss_g = bce(g, torch.ones_like(g))
        og.zero_grad()
        loss_g.backward()
        og.step()
