import torch
import torch.nn.functional as F
from torch import nn


def step(net_d, net_g, opt_d, opt_g, x):
    fake = net_g(torch.randn(len(x), 8))
    err_d = F.softplus(net_d(fake.detach())).mean() + F.softplus(-net_d(x)).mean()
    opt_d.zero_grad()
    err_d.backward()
    opt_d.step()
    err_g = F.softplus(-net_d(fake)).mean()
    opt_g.zero_grad()
    err_g.backward()
    opt_g.step()
    return err_d.item(), err_g.item()


def main(loader, net_d, net_g):
    opt_d = torch.optim.Adam(net_d.parameters())
    opt_g = torch.optim.Adam(net_g.parameters())
    history = []
    for epoch in range(3):
        for (x,) in loader:
            err_d, err_g = step(net_d, net_g, opt_d, opt_g, x)
            history.append((err_d, err_g))
    print(history)
