import torch
from torch import nn
from torch.nn import functional as F

class Cut(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 4)
        self.b = nn.Linear(4, 2)

    def forward(self, x):
        return self.b(self.a(x).detach())  # expect: SB052 low
