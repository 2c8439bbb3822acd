import torch
from torch import nn
from torch.nn import functional as F

class Scale(nn.Module):  # expect: SB209
    def __init__(self, k):
        self.k = k

    def forward(self, x):
        return self.k * x
