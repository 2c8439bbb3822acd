import torch
from torch import nn
from torch.distributions import Bernoulli


def act(x):
    gate = nn.Sequential(nn.Linear(4, 1), nn.Sigmoid())
    return Bernoulli(logits=gate(x)).sample()  # expect: SB279
