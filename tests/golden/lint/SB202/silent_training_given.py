import torch
from torch import nn
from torch.nn import functional as F

class Net7(nn.Module):
    def forward(self, x):
        return F.dropout(x, 0.2, self.training)
