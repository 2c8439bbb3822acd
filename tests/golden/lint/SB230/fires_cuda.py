import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.bias = torch.nn.Parameter(torch.zeros(3), requires_grad=True).cuda()  # expect: SB230

    def forward(self, x):
        return x + self.bias
