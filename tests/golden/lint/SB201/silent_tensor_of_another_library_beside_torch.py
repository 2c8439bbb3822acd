import torch
from toygrad import Tensor


def same_gradient(ours, theirs):
    slope = ours.grad * 2
    slope.detach()
    assert isinstance(slope, Tensor)
    return torch.allclose(torch.tensor(slope.numbers), theirs)
