import torch
from torch import nn


def best(model):
    net = nn.Linear(4, 2)
    unwrapped = net
    net.load_state_dict(model.state_dict())
    return unwrapped
