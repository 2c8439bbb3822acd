import torch
from torch import nn


def main(loader):
    netG, netD = nn.Linear(8, 4), nn.Linear(4, 1)
    optG = torch.optim.Adam(netG.parameters(), lr=1e-4)
    optD = torch.optim.Adam(netD.parameters(), lr=1e-4)
    for real in loader:
        train_step(netG, netD, optG, optD, real)
