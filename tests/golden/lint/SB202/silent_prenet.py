import torch.nn.functional as F
from torch import nn


class Prenet(nn.Module):
    def __init__(self, width, rate):
        super().__init__()
        self.rate = rate
        self.fc = nn.Linear(width, width)

    def forward(self, x):
        return F.dropout(self.fc(x), self.rate)
