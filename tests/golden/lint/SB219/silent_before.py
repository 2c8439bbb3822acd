import torch
from torch import nn
from torch.nn import functional as F

model = nn.Linear(4, 2)
model.requires_grad_(True)
optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1)
