import torch
from torch import nn
from torch.nn import functional as F

def clip(model):
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
