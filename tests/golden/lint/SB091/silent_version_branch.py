import torch
from packaging import version
from torch.autograd import Variable


def as_input(x):
    if version.parse(torch.__version__) < version.parse("0.4"):
        x = Variable(x)
    return x
