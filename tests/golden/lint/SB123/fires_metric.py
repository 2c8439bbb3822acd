import torch
from torch import nn
from torch.nn import functional as F

def hits(output):
    return torch.max(output.data, 1)  # expect: SB123 low
