import torch
import torch.nn.functional as F


def step(netG, netD, z, optG):
    out = netD(netG(z))
    g_loss = F.binary_cross_entropy_with_logits(out, torch.zeros_like(out))
    g_loss = -g_loss
    g_loss.backward()
    optG.step()


def other(netG, netD, z, optG):
    out = netD(netG(z))
    loss_g = F.binary_cross_entropy_with_logits(out, torch.zeros_like(out))
    (-loss_g).backward()
    optG.step()
