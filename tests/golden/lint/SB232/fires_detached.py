import torch
from torch import nn


class Gan:
    def __init__(self):
        self.generator, self.critic = nn.Linear(4, 2), nn.Linear(2, 1)
        self.opt_g = torch.optim.Adam(self.generator.parameters())

    def step(self, n):
        noise = torch.randn(n, 4)
        loss = -self.critic(self.generator(noise).detach()).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()  # expect: SB232
