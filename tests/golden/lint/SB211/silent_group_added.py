import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model.fc = nn.Linear(2, 3)
optimizer.add_param_group({"params": model.fc.parameters()})
