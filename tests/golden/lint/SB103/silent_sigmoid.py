import torch
from torch import nn
from torch.nn import functional as F

layer = nn.Linear(4, 3)
loss = F.binary_cross_entropy(torch.sigmoid(layer(torch.zeros(2, 4))), torch.zeros(2, 3))
