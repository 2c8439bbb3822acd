import torch
from torch import nn
from torch.nn import functional as F

y = F.softmax(torch.zeros(2, 3), dim=1)
z = F.softmax(torch.zeros(2, 3), -1)
