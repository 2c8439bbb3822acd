import torch


def plan(total, warmup_steps):
    n_warm_epochs = total // warmup_steps
    warmup_steps = total // 10
    return n_warm_epochs, warmup_steps
