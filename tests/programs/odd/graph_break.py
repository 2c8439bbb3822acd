# expect: 0 optimised calls compared
import torch


@torch.compile(backend="aot_eager")
def f(x):
    x = x + 1
    print("broken here")
    return x * 2


f(torch.ones(3))
