import torch
from torch import nn


class GAN:
    def __init__(self, g, d):
        self.g, self.d = g, d
        self.opt = torch.optim.Adam(d.parameters())
        self.bce = nn.BCEWithLogitsLoss()

    def step(self, real):
        fake = self.g(torch.randn(len(real), 8)).detach()
        loss_d = self.bce(self.d(real), torch.ones(len(real), 1))  # expect: SB276
        loss_d = self.bce(self.d(fake), torch.zeros(len(real), 1))
        self.opt.zero_grad()
        loss_d.backward()
        self.opt.step()
