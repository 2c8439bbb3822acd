import torch
from torch import Tensor


def clear(weights: list[Tensor]):
    for weight in weights:
        slope = weight.grad * 2
        slope.detach()  # expect: SB201
        torch.add(slope, 1, out=slope)
