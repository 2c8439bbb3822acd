import torch
from torch import nn
from torch.nn import functional as F

layer = nn.Linear(4, 1)
p = torch.sigmoid(layer(torch.zeros(2, 4)))
loss = nn.BCELoss()(p, torch.zeros(2, 1))
