import torch
from torch import nn
from torch.nn import functional as F

layer = nn.Linear(4, 3)
loss = F.kl_div(F.log_softmax(layer(torch.zeros(2, 4)), 1), torch.ones(2, 3) / 3, reduction='batchmean')
