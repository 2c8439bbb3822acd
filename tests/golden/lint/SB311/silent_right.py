import torch
import torch.nn as nn

criterion = nn.BCEWithLogitsLoss()


def train(netG, netD, loader, optG, optD):
    for real, _ in loader:
        n = len(real)
        ones, zeros = torch.ones(n, 1), torch.zeros(n, 1)
        fake = netG(torch.randn(n, 16))
        d_loss = criterion(netD(real), ones) + criterion(netD(fake.detach()), zeros)
        d_loss.backward()
        optD.step()
        g_loss = criterion(netD(fake), ones)
        g_loss.backward()
        optG.step()
