import torch
from torch import nn
from torch.nn import functional as F

def forward(x):
    batch, time, channels = x.size()
    x = x.transpose(0, 1)
    return x.reshape(time, batch, channels)
