import torch
from torch import nn
from torch.nn import functional as F

layer = nn.Linear(4, 3)
loss = F.nll_loss(torch.softmax(layer(torch.zeros(2, 4)), 1), torch.zeros(2, dtype=torch.long))  # expect: SB104
