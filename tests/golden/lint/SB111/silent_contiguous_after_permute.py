import torch


def f(x: torch.Tensor):
    b, t, c = x.shape
    return x.permute(0, 2, 1).contiguous().view(b, c, t)


def g(x: torch.Tensor):
    b, t, c = x.shape
    x = x.transpose(1, 2).contiguous()
    return x.view(b, c, t)


def h(x: torch.Tensor):
    b, t, c = x.shape
    return x.contiguous().view(b, t, c)
