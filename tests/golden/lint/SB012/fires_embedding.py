import torch
from torch import nn
from torch.nn import functional as F

class Words(nn.Module):  # expect: SB012 low
    def __init__(self, n):
        super().__init__()
        self.table = nn.Embedding(n, 8)
