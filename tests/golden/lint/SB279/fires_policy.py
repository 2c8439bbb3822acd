import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Bernoulli, Categorical


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.pi = nn.Linear(8, 2)

    def forward(self, x):
        return Categorical(logits=F.softmax(self.pi(self.body(x)), dim=-1))  # expect: SB279


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(4, 1)

    def forward(self, x):
        p = torch.sigmoid(self.gate(x))
        return Bernoulli(logits=p).sample()  # expect: SB279
