import torch
from torch import nn
from torch.nn import functional as F

def loss_of(layer: nn.Linear, x, y):
    p = layer(x).sigmoid()
    return F.binary_cross_entropy_with_logits(p, y)  # expect: SB102
