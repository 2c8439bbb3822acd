import torch
from torch import nn

temperature = nn.Parameter(torch.ones(()))
net = nn.Linear(4, 2)
optimizer = torch.optim.Adam([temperature])
for step in range(10):
    loss = (net(torch.randn(8, 4)) * temperature).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
