import torch
import torch.nn as nn
import torch.nn.functional as F


class VQ(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(16, 4)

    def forward(self, z):
        q = self.emb(torch.cdist(z, self.emb.weight).argmin(1))
        loss = F.mse_loss(q.detach(), z) + 0.25 * F.mse_loss(q, z.detach())
        q = z + (q - z).detach()
        return q, loss


def train(loader):
    enc, vq, dec = nn.Linear(8, 4), VQ(), nn.Linear(4, 8)
    opt = torch.optim.Adam([*enc.parameters(), *vq.parameters(), *dec.parameters()])
    for x in loader:
        z = enc(x)
        q, loss = vq(z)
        q = z + (q - z).detach()
        loss = loss + F.mse_loss(dec(q), x)
        opt.zero_grad()
        loss.backward()
        opt.step()
