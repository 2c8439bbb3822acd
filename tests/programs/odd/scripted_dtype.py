# expect: 0 1 of 1 optimised calls compared
# TorchScript gives a dtype as a number.
import torch


def kind(t):
    return t.dtype


torch.jit.script(kind)(torch.rand(3))
