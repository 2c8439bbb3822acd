import torch
from torch.autograd import Variable


def show(x):
    return isinstance(x, Variable)
