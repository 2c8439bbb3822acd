import torch
from torch import nn
from torch.nn import functional as F

loss = F.cross_entropy(torch.zeros(2, 3), torch.zeros(2, dtype=torch.long))
