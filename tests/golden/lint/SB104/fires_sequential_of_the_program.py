import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 2), nn.Softmax(dim=1))
criterion = nn.NLLLoss()  # expect: SB104 low
