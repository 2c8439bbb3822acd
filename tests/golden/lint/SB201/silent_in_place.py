import torch
from torch import nn
from torch.nn import functional as F

x = torch.zeros(3)
x.add_(1)
x.requires_grad_()
