import torch
import torch.nn as nn

bce = nn.BCEWithLogitsLoss()


def gan_loss(logits, is_real):
    return bce(logits, torch.full_like(logits, float(is_real)))


def step(netG, netD, real, z, optG, optD):
    fake = netG(z)
    errD = gan_loss(netD(real), True) + gan_loss(netD(fake.detach()), False)
    errD.backward()
    optD.step()
    errG = gan_loss(netD(fake), False)  # expect: SB311
    errG.backward()
    optG.step()
