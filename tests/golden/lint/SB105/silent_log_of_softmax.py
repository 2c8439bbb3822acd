import torch
from torch import nn
from torch.nn import functional as F

layer = nn.Linear(4, 3)
p = F.softmax(layer(torch.zeros(2, 4)), 1)
loss = F.kl_div(p.log(), torch.ones(2, 3) / 3, reduction='batchmean')
