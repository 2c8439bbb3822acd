import torch
from torch import nn
from torch.nn import functional as F

loss = F.cross_entropy(torch.zeros(2, 3), F.one_hot(torch.zeros(2, dtype=torch.long), 3).float())  # expect: SB215 low
