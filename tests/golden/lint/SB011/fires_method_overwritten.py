import torch
from torch import nn

model = nn.Linear(4, 2)
model.state_dict = torch.load("best.pth")  # expect: SB011 low
print(model(torch.zeros(1, 4)))
