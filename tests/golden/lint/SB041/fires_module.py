import torch
from torch import nn
from torch.nn import functional as F

net = nn.Sequential(nn.Linear(4, 2))
torch.save(net, 'net.pt')  # expect: SB041
