import torch


def shuffled(x, y):
    torch.manual_seed(0)
    x = x[torch.randperm(len(x))]
    torch.manual_seed(0)
    y = y[torch.randperm(len(y))]
    return x, y
