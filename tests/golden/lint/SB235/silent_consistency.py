import torch
from torch import nn

net = nn.Linear(4, 4)
optimizer = torch.optim.Adam(net.parameters())


def update(x, noisy):
    loss = nn.functional.mse_loss(net(x), 0.5 * net(noisy) + 0.5 * x)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
