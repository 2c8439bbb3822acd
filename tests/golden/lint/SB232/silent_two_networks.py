import torch
from torch import nn, optim


class GAN:
    def __init__(self, generator, discriminator):
        self.G = generator
        self.D = discriminator
        self.opt_g = optim.Adam(self.G.parameters(), lr=2e-4)
        self.opt_d = optim.Adam(self.D.parameters(), lr=2e-4)
        self.loss = nn.BCEWithLogitsLoss()

    def d_step(self, real, noise):
        self.opt_d.zero_grad()
        a, b = self.D(real), self.D(self.G(noise).detach())
        loss = self.loss(a, torch.ones_like(a)) + self.loss(b, torch.zeros_like(b))
        loss.backward()
        self.opt_d.step()

    def g_step(self, noise):
        self.opt_g.zero_grad()
        out = self.D(self.G(noise))
        self.loss(out, torch.ones_like(out)).backward()
        self.opt_g.step()
