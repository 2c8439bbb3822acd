import torch
from torch import nn


class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b
        self.opt_a = torch.optim.Adam(self.a.parameters())
        self.opt_b = torch.optim.Adam(self.b.parameters())
        self.optimizers = [self.opt_a, self.opt_b]

    def fit(self, loader):
        for x, y in loader:
            self.opt_a.zero_grad()
            self.opt_b.zero_grad()
            nn.functional.mse_loss(self.b(self.a(x)), y).backward()
            for optimizer in self.optimizers:
                optimizer.step()
            self.opt_b.step()
