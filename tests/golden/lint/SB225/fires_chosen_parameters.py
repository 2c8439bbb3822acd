import torch
from torch import nn


def fit(net: nn.Module, loader, epochs):
    learned = [p for p in net.parameters() if p.requires_grad]
    for epoch in range(epochs):
        opt = torch.optim.SGD(learned, lr=0.06, momentum=0.9)  # expect: SB225
        net.train()
        for x, y in loader:
            loss = nn.functional.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
