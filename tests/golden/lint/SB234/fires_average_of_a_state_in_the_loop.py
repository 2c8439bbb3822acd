import torch
from torch import nn

net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
average = net.state_dict()  # expect: SB234
for step in range(100):
    optimizer.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    optimizer.step()
    with torch.no_grad():
        for name, value in net.named_parameters():
            average[name].mul_(0.99).add_(value, alpha=0.01)
