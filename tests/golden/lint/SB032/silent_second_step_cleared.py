import torch
from torch import nn

a = nn.Linear(4, 2)
both = torch.optim.SGD(a.parameters(), lr=0.1)
a(torch.ones(1, 4)).sum().backward()
both.step()
both.zero_grad()
a(torch.ones(1, 4)).sum().backward()
both.step()
