import torch


def pairs(a, b):
    return a[torch.randperm(len(a))], b[torch.randperm(len(b))]
