import torch
from torch import nn


def fit(netG: nn.Module, netD: nn.Module, optG, loader, criterion):
    fixed_noise = torch.randn(64, 100)
    z = torch.randn(64, 100)
    for real in loader:
        z.normal_()
        criterion(netD(netG(z)), torch.ones(64)).backward()
        optG.step()
        optG.zero_grad()
        with torch.no_grad():
            sample = netG(fixed_noise)
    return sample
