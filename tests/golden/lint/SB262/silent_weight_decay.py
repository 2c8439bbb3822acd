import torch


def step(params, lr, weight_decay):
    for p in params:
        p.mul_(1 - lr * weight_decay).add_(p.grad, alpha=-lr)
