import torch
from torch import nn
from torch.nn import functional as F

y = F.one_hot(torch.zeros(2, dtype=torch.long), 3)
loss = F.cross_entropy(torch.zeros(2, 3), y.float())  # expect: SB215 low
