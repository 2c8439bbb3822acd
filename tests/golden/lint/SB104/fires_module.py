import torch
from torch import nn
from torch.nn import functional as F

net = nn.Sequential(nn.Linear(4, 3), nn.Softmax(dim=1))
loss = nn.NLLLoss()(net(torch.zeros(2, 4)), torch.zeros(2, dtype=torch.long))  # expect: SB104
