import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))  # expect: SB012 low
optimizer = torch.optim.Adam(net.parameters())
