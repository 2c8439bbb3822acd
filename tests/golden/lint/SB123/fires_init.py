import torch
from torch import nn
from torch.nn import functional as F

layer = nn.Linear(4, 2)
layer.weight.data.fill_(0)  # expect: SB123 low
