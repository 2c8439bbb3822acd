import torch
from torch import nn
from torch.nn import functional as F

class Net5(nn.Module):
    def forward(self, x):
        return F.dropout(x, p=0.2)  # expect: SB202
