import torch


def positions(n):
    made = torch.zeros(n, 4)
    made.require_grad = False  # expect: SB208
    return made
