import torch


def checkpoint(x):
    return x


y = checkpoint(torch.zeros(3))
