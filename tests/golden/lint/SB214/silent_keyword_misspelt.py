import torch
from torch import nn
from torch.nn import functional as F


def attend(left, right):
    weight = F.softmax(torch.bmm(left, right), dims=-1)
    scale = nn.Softmax(axis=-1)
    return scale(weight)
