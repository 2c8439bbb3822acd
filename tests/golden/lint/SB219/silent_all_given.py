import torch
from torch import nn
from torch.nn import functional as F

model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model.requires_grad_(True)
