import torch
from torch import nn
from torch.nn import functional as F

output = F.log_softmax(nn.Linear(4, 2)(torch.zeros(2, 4)), dim=1)
loss = F.cross_entropy(output, torch.zeros(2, dtype=torch.long))  # expect: SB101 low
