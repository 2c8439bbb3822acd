import torch
from torch import nn
from torch.nn import functional as F

def build():
    net = nn.Linear(4, 2)
    opt = torch.optim.Adam(filter(lambda p: p.requires_grad, net.parameters()))
    net.requires_grad_(True)  # expect: SB219 low
    return net, opt
