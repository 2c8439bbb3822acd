import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, a, b):
        super().__init__()
        self.fc = nn.Linear(a, b)

    def forward(self, x):
        return self.fc(x)


def train(loader):
    encoder, decoder = Net(8, 4), Net(4, 1)
    opt_g, opt_d = torch.optim.Adam(encoder.parameters()), torch.optim.Adam(decoder.parameters())
    bce = nn.BCEWithLogitsLoss()
    for real, _ in loader:
        n = real.size(0)
        fake = encoder(torch.randn(n, 8))
        opt_d.zero_grad()
        d_loss = bce(decoder(real), torch.ones(n, 1)) + bce(decoder(fake), torch.zeros(n, 1))
        d_loss.backward(retain_graph=True)
        opt_d.step()
        opt_g.step()
        opt_g.zero_grad()
