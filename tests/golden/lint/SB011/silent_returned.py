import torch
from torch import nn
from torch.nn import functional as F


def read(path):
    state = torch.load(path, map_location='cpu')
    return state
