import torch
from torch import nn
from torch.nn import functional as F

net = nn.Sequential(nn.Linear(4, 3))
out = net(torch.zeros(2, 4))
loss = F.cross_entropy(out, torch.zeros(2, dtype=torch.long))
print(out.softmax(dim=1))
loss.backward()
