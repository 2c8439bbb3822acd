"""Two-dimensional spirals lifted to 20 features; a few labels, many points without."""
import math
from typing import NamedTuple

import torch

CLASSES = 3


class Split(NamedTuple):
    x_lab: torch.Tensor
    y_lab: torch.Tensor
    x_unl: torch.Tensor
    x_test: torch.Tensor
    y_test: torch.Tensor


def spirals(n, seed):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, CLASSES, (n,), generator=g)
    r = torch.rand(n, generator=g) + 0.2
    phi = 3.0 * r + y * (2 * math.pi / CLASSES)
    flat = torch.stack([r * phi.cos(), r * phi.sin()], dim=1) + 0.04 * torch.randn(n, 2, generator=g)
    lift = torch.randn(2, 20, generator=torch.Generator().manual_seed(77))
    return flat @ lift, y


def split(n=1500, n_lab=90, n_test=300, seed=0):
    x, y = spirals(n, seed)
    order = torch.randperm(n, generator=torch.Generator().manual_seed(seed + 1))
    test, lab, rest = order[:n_test], order[n_test:n_test + n_lab], order[n_test + n_lab:]
    return Split(x[lab], y[lab], x[rest], x[test], y[test])


def jitter(x, scale):
    return x + scale * torch.randn_like(x)


def endless(n, size):
    while True:
        for idx in torch.randperm(n).split(size):
            if len(idx) == size:
                yield idx
