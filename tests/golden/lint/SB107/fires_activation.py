import torch
from torch import nn
from torch.nn import functional as F

class Net4(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return nn.Sigmoid(self.fc(x))  # expect: SB107
