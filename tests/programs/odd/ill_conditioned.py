# expect: 0 5 of 5 optimised calls compared, 15 values; a singular matrix: 1
"""The determinant and the inverse of a singular matrix, comparisons of a sequence with its zero, tuples with names: what a compiler may change."""

import torch


@torch.compile(backend="aot_eager_decomp_partition")
def singular(scale):
    return torch.det((torch.linspace(-40, 60, 24).sin() * scale)[:18].reshape(2, 3, 3))


@torch.compile(backend="aot_eager_decomp_partition")
def inverse(image):
    steps = torch.linspace(-40, 60, 24).sin() * 3 + torch.inverse(torch.nn.functional.interpolate(image, size=(64, 64), mode="bilinear")).mean().tanh() * 0.1
    return torch.special.log_ndtr(steps.to(torch.int8))


@torch.compile(backend="aot_eager_decomp_partition")
def crossing(x):
    return torch.linspace(-40, 60, 96) > 0


def ordered():
    return torch.sort(torch.linspace(1, 2, 3))


singular(2)
singular(2)
torch.manual_seed(0)
inverse(-torch.randn(1, 3, 32, 32).abs())
crossing(torch.ones(1))
torch.fx.symbolic_trace(ordered)()
