import torch


def f(x: torch.Tensor):
    b, t, c = x.shape
    return x.contiguous().view(b, c, t)  # expect: SB111


def g(x):
    b, t, c = x.size()
    x = x.contiguous()
    return x.view(t, b, c)  # expect: SB111
