import torch
from torch import nn
from torch.nn import functional as F

layer = nn.Linear(4, 3)
for x, y in [(torch.zeros(2, 2, 2), torch.zeros(2))]:
    p = torch.softmax(layer(x.flatten(1)), dim=1)
