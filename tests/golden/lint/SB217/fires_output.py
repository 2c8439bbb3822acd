import torch
from torch import nn
from torch.nn import functional as F

model = nn.Linear(4, 2)
out = model(torch.zeros(1, 4))
kept = torch.tensor(out, dtype=torch.float64)  # expect: SB217
