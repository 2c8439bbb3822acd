import torch
from torch import nn

layer = nn.Linear(4, 3)
for x in [torch.zeros(1, 4)]:
    p = torch.softmax(layer(x.view(-1)), dim=0)
    q = torch.softmax(layer(x.reshape(x.shape[0] * x.shape[1])), dim=0)
