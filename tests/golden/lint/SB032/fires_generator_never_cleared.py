import torch
import torch.nn.functional as F
from torch import nn


def train(netG, netD, loader):
    optG = torch.optim.Adam(netG.parameters())
    optD = torch.optim.Adam(netD.parameters())
    for real in loader:
        fake = netG(torch.randn(len(real), 8))
        optD.zero_grad()
        loss_d = F.softplus(netD(fake.detach())).mean() + F.softplus(-netD(real)).mean()
        loss_d.backward()
        optD.step()
        loss_g = F.softplus(-netD(fake)).mean()
        loss_g.backward()  # expect: SB032
        optG.step()
