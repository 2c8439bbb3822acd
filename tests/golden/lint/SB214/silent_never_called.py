import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.project = nn.Linear(width, 1)
        self.softmax = nn.Softmax(dim=1)

    def forward(self, x):
        return self.softmax(self.project(x))


class Encoder(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.attention = Attention(width)
        self.softmax = nn.Softmax()
        self.sigmoid = nn.Sigmoid()

    def forward(self, x):
        unused = nn.Softmax()
        return self.sigmoid(torch.softmax(self.attention(x), dim=-1))
