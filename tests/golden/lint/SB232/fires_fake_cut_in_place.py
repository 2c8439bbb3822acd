import torch
from torch import nn


def make_step(netG, netD, optG, optD):
    bce = nn.BCEWithLogitsLoss()

    def gan_loss(logits, is_real):
        return bce(logits, torch.full_like(logits, float(is_real)))

    def step(real):
        for opt in (optG, optD):
            opt.zero_grad()
        fake = netG(torch.randn(len(real), 8))
        errD = gan_loss(netD(real), True) + gan_loss(netD(fake.detach()), False)
        errD.backward()
        optD.step()
        fake = fake.detach()
        errG = gan_loss(netD(fake), True)
        errG.backward()
        optG.step()  # expect: SB232
        return errD.item(), errG.item()

    return step
