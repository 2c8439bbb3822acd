import torch
import torch.nn.functional as F
from torch import nn


class Head(nn.Module):
    def __init__(self, width, rate):
        super().__init__()
        self.rate = rate
        self.fc = nn.Linear(width, width)

    def forward(self, x):
        if self.rate > 0.0:
            x = F.dropout(x, p=self.rate)  # expect: SB202
            x = F.dropout(x, p=0.0)
        return self.fc(x)
