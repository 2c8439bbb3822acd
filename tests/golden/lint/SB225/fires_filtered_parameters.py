import torch
from torch import nn


def fit(net: nn.Module, loader, epochs):
    learned = list(filter(lambda p: p.requires_grad, net.parameters()))
    for epoch in range(epochs):
        opt = torch.optim.SGD(learned, lr=0.06, momentum=0.9)  # expect: SB225
        net.train()
        for x, y in loader:
            loss = nn.functional.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
