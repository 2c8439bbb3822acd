import torch
from torch import nn

from net import Net

net = Net()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in []:
    out = net(x)
    loss = criterion(out["logits"], y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
