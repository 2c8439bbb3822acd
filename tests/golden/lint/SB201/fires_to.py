import torch
from torch import nn
from torch.nn import functional as F

x = torch.zeros(3)
x.to('cuda')  # expect: SB201
