# expect: 0 4 of 4 optimised calls compared
"""The determinant of a singular matrix, comparisons of a sequence with its zero, tuples with names: what a compiler may change."""

import torch


@torch.compile(backend="aot_eager_decomp_partition")
def singular(scale):
    return torch.det((torch.linspace(-40, 60, 24).sin() * scale)[:18].reshape(2, 3, 3))


@torch.compile(backend="aot_eager_decomp_partition")
def crossing(x):
    return torch.linspace(-40, 60, 96) > 0


def ordered():
    return torch.sort(torch.linspace(1, 2, 3))


singular(2)
singular(2)
crossing(torch.ones(1))
torch.fx.symbolic_trace(ordered)()
