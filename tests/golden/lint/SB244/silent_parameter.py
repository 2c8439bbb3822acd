import torch
import torch.nn as nn


class Mix(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Parameter(torch.zeros(3, requires_grad=True))
        self.mask = torch.zeros(3)

    def forward(self, x):
        return torch.sigmoid(self.gate) * x + self.mask
