import torch
from torch import nn
from torch.nn import functional as F

model = nn.Sequential(nn.Linear(4, 2))
other = nn.Sequential(nn.Linear(4, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
other.fc = nn.Linear(2, 3)
