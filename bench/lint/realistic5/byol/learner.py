import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


def mlp(n_in, hidden, n_out):
    return nn.Sequential(nn.Linear(n_in, hidden), nn.BatchNorm1d(hidden), nn.ReLU(), nn.Linear(hidden, n_out))


def regression_loss(p, z):
    p = F.normalize(p, dim=-1)
    z = F.normalize(z, dim=-1)
    return (2 - 2 * (p * z).sum(dim=-1)).mean()


class BYOL(nn.Module):
    def __init__(self, n_in=32, n_features=16, momentum=0.99):
        super().__init__()
        self.online = mlp(n_in, 32, n_features)
        self.predictor = mlp(n_features, 32, n_features)
        self.target = copy.deepcopy(self.online)
        for p in self.target.parameters():
            p.requires_grad = False
        self.momentum = momentum

    @torch.no_grad()
    def update_target(self):
        for o, t in zip(self.online.parameters(), self.target.parameters()):
            t.data = self.momentum * t.data + (1 - self.momentum) * o.data

    def forward(self, a, b):
        p_a, p_b = self.predictor(self.online(a)), self.predictor(self.online(b))
        with torch.no_grad():
            z_a, z_b = self.target(a), self.target(b)
        return regression_loss(p_a, z_b) + regression_loss(p_b, z_a)
