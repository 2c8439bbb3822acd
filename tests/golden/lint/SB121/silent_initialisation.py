import torch
from torch import nn
from torch.nn import functional as F

layer = nn.Linear(4, 2)
layer.weight.data.normal_(0, 0.1)
layer.bias.data.zero_()
