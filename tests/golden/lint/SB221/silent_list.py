import torch
from torch import nn
from torch.nn import functional as F

def mean(values):
    return sum(values) / len(values)
