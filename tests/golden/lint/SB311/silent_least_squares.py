import torch
import torch.nn.functional as F


def step(netG, netD, z, optG, real_label):
    out = netD(netG(z))
    target = torch.zeros_like(out).fill_(real_label)
    g_loss = F.mse_loss(out, target)
    g_loss.backward()
    optG.step()
