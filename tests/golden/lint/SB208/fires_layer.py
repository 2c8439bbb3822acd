import torch
from torch import nn
from torch.nn import functional as F

model = nn.Linear(4, 2)
model.weight.requires_grads = False  # expect: SB208
