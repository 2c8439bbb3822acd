import torch
from torch import nn
from torch.nn import functional as F

model = nn.Linear(4, 2)
for p in model.parameters():
    p.require_grad = False  # expect: SB208
