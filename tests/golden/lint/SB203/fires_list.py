import torch
from torch import nn
from torch.nn import functional as F

class Net9(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(4, 4), nn.Linear(4, 2)]  # expect: SB203
