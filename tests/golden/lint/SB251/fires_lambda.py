import torch


def make(optimizer, warmup):
    return torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, step // warmup))  # expect: SB251
