import torch
from torch import nn
from torch.nn import functional as F

model = nn.Linear(4, 2)
weights = torch.load('w.pth')  # expect: SB011
names = dict(model.named_parameters())
for key in weights:
    if key not in names:
        print(key)
