import torch
from torch import nn
from torch.nn import functional as F

layer = nn.Linear(4, 3)
p = torch.softmax(layer(torch.zeros(2, 4)), 1)
loss = F.nll_loss(torch.log(p), torch.zeros(2, dtype=torch.long))
