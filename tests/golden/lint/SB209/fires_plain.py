import torch
from torch import nn
from torch.nn import functional as F

class Plain(nn.Module):  # expect: SB209
    def __init__(self):
        self.size = 3
