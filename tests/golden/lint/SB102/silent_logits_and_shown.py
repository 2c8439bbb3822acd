import torch
from torch import nn
from torch.nn import functional as F

layer = nn.Linear(4, 1)
z = layer(torch.zeros(2, 4))
loss = nn.BCEWithLogitsLoss()(z, torch.zeros(2, 1))
print(torch.sigmoid(z))
