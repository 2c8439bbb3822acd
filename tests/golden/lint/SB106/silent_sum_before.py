import torch
from torch import nn
from torch.nn import functional as F

x = torch.log(F.log_softmax(torch.zeros(2, 3), dim=1).exp().sum())
