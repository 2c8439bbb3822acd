import torch
from torch import nn
from torch.nn import functional as F

loss = F.cross_entropy(torch.zeros(2, 3), torch.softmax(torch.zeros(2, 3), 1))
