import torch
from torch import nn
from torch.nn import functional as F

class Net15(nn.Linear):
    def forward(self, x):
        return super().forward(x)
