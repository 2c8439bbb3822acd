import torch
from torch import nn
from torch.nn import functional as F

def forward(x):
    batch, time, channels = x.size()
    return x.view(time, batch, channels)  # expect: SB111
