import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(10, 20, bidirectional=True)

    def forward(self, x):
        out, (hidden, cell) = self.lstm(x)
        return hidden.transpose(0, 1).reshape(-1, 20 * 2)
