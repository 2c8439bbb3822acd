"""Builders by name. A builder gets the config and makes a new object each time."""
import torch
from torch import nn
import torch.nn.functional as F


class ConvEncoder(nn.Module):
    def __init__(self, width):
        super().__init__()
        sizes = [3, width, 2 * width, 4 * width]
        self.layers = nn.ModuleList(
            nn.Sequential(nn.Conv2d(a, b, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(b), nn.ReLU())
            for a, b in zip(sizes, sizes[1:])
        )
        self.out_dim = sizes[-1]

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        x = x.mean(dim=(2, 3))
        return F.dropout(x, p=0.1, training=self.training)


class Projector(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d_in, d_in), nn.BatchNorm1d(d_in), nn.ReLU(), nn.Linear(d_in, d_out))

    def forward(self, h):
        return F.normalize(self.net(h), dim=1)


class NTXent(nn.Module):
    """Each view's positive is the other view of the same picture; all else in the batch is negative."""

    def __init__(self, temperature):
        super().__init__()
        self.log_scale = nn.Parameter(torch.tensor(1 / temperature).log())

    def forward(self, z1, z2):
        n = len(z1)
        z = torch.cat([z1, z2])
        sim = z @ z.t() * self.log_scale.exp().clamp(max=100)
        itself = torch.eye(2 * n, dtype=torch.bool, device=z.device)
        sim = sim.masked_fill(itself, float("-inf"))
        positive = torch.arange(2 * n, device=z.device).roll(n)
        return F.cross_entropy(sim, positive)


ENCODERS = {
    "conv": lambda cfg: ConvEncoder(cfg.width),
    "conv_wide": lambda cfg: ConvEncoder(2 * cfg.width),
}
LOSSES = {
    "ntxent": lambda cfg: NTXent(cfg.temperature),
}
OPTIMIZERS = {
    "adamw": lambda params, c: torch.optim.AdamW(params, lr=c.lr, weight_decay=c.weight_decay),
    "sgd": lambda params, c: torch.optim.SGD(params, lr=c.lr, momentum=0.9, weight_decay=c.weight_decay),
}


def build(table, name, *args):
    if name not in table:
        raise KeyError(f"unknown {name!r}, there are {sorted(table)}")
    return table[name](*args)
