import torch
from torch import nn
from torch.nn import functional as F

def build():
    net = nn.Sequential(nn.Linear(4, 2))
    opt = torch.optim.Adam(net.parameters())
    net.head = nn.Linear(2, 3)  # expect: SB211
    return net, opt
