import torch
from torch import nn
from torch.nn import functional as F

class Net12(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = [nn.Linear(4, 4), nn.Linear(4, 2)]
        self.net = nn.Sequential(*self.parts)
