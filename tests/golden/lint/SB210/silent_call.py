import torch
from torch import nn
from torch.nn import functional as F

model = nn.Linear(4, 2)
y = model(torch.zeros(1, 4))
