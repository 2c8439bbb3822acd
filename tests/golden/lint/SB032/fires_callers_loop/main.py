import torch
from torch import nn

from engine import train_step

model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in zip(torch.zeros(8, 4), torch.zeros(8, 2)):
    train_step(model, optimizer, x, y)
