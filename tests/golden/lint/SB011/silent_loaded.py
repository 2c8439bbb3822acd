import torch
from torch import nn
from torch.nn import functional as F

model = nn.Linear(4, 2)
weights = torch.load('w.pth')
model.load_state_dict(weights)
