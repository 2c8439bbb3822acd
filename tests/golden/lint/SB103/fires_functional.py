import torch
from torch import nn
from torch.nn import functional as F

layer = nn.Linear(4, 3)
p = F.softmax(layer(torch.zeros(2, 4)), dim=1)
loss = F.binary_cross_entropy(p, torch.zeros(2, 3))  # expect: SB103
