import torch
from torch import nn
from torch.nn import functional as F

net = nn.Conv2d(3, 8, 3)  # expect: SB141
net.to('cuda')
