import torch


def qr(x):
    return x


qr(torch.eye(3))
