import torch


def tensors_carry_gradients():
    probe = torch.autograd.Variable()
    return isinstance(probe, torch.Tensor)
