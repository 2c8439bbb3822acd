# expect: 0 2 of 2 optimised calls compared
import torch


@torch.compile(backend="aot_eager", dynamic=True)
def f(x):
    return x.relu() + 1


f(torch.randn(3))
f(torch.randn(5))
