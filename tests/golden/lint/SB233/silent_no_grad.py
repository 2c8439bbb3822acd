import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, a, b):
        super().__init__()
        self.fc = nn.Linear(a, b)

    def forward(self, x):
        return self.fc(x)


def train(loader):
    G, D = Net(8, 4), Net(4, 1)
    opt_g, opt_d = torch.optim.Adam(G.parameters()), torch.optim.Adam(D.parameters())
    bce = nn.BCEWithLogitsLoss()
    for real, _ in loader:
        n = real.size(0)
        with torch.no_grad():
            fake = G(torch.randn(n, 8))
        opt_d.zero_grad()
        d_loss = bce(D(real), torch.ones(n, 1)) + bce(D(fake), torch.zeros(n, 1))
        d_loss.backward()
        opt_d.step()
        opt_g.zero_grad()
        g_loss = bce(D(G(torch.randn(n, 8))), torch.ones(n, 1))
        g_loss.backward()
        opt_g.step()
