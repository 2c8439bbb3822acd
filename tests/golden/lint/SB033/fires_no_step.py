import torch
from torch import nn
from torch.nn import functional as F

def backward_only(loss):
    loss.backward()  # expect: SB033 low
