import torch
from torch import nn
from torch.nn import functional as F

def corrupt(x):
    return F.dropout(x, 0.2)
