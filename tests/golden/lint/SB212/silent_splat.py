import torch
from torch import nn
from torch.nn import functional as F

def read(**options):
    return torch.load('m.pth', **options)
