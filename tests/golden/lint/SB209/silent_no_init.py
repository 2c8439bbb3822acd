import torch
from torch import nn
from torch.nn import functional as F

class Plain(nn.Module):
    def forward(self, x):
        return x
