import torch
from torch import nn
from torch.nn import functional as F


def restore(path):
    model = nn.Linear(4, 2)
    state = torch.load(path)  # expect: SB011
    print(len(state))
    return model
