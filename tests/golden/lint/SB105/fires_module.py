import torch
from torch import nn
from torch.nn import functional as F

net = nn.Sequential(nn.Linear(4, 3), nn.Softmax(dim=1))
criterion = nn.KLDivLoss(reduction='batchmean')
loss = criterion(net(torch.zeros(2, 4)), torch.ones(2, 3) / 3)  # expect: SB105
