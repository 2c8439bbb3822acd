import torch.nn.functional as F
from torch import nn


class Head(nn.Module):
    def __init__(self, width, rate):
        super().__init__()
        self.rate = rate
        self.fc = nn.Linear(width, width)

    def forward(self, x, rate=0.0, drop=True):
        if rate != 0.0:
            x = F.dropout(x, rate)
        if self.rate > 0.0 and drop:
            x = F.dropout(x, self.rate)
        return self.fc(x)
