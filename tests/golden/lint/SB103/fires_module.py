import torch
from torch import nn
from torch.nn import functional as F

net = nn.Sequential(nn.Linear(4, 3), nn.Softmax(dim=-1))
loss = nn.BCELoss()(net(torch.zeros(2, 4)), torch.zeros(2, 3))  # expect: SB103
