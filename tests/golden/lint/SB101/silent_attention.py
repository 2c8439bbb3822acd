import torch
from torch import nn
from torch.nn import functional as F


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, q, k, v):
        weights = F.softmax(torch.bmm(q, k.transpose(1, 2)), dim=-1)
        return self.fc(torch.bmm(weights, v))


criterion = nn.CrossEntropyLoss()
