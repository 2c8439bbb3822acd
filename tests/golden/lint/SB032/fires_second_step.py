import torch
from torch import nn

a, b = nn.Linear(4, 2), nn.Linear(4, 2)
both = torch.optim.SGD([*a.parameters(), *b.parameters()], lr=0.1)
(a(torch.ones(1, 4)) + b(torch.ones(1, 4))).sum().backward()
both.step()
a(torch.ones(1, 4)).sum().backward()  # expect: SB032 low
both.step()
