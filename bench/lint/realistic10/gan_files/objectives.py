import torch
import torch.nn as nn

bce = nn.BCEWithLogitsLoss()


def judge_loss(disc, real, fake):
    on_real = disc(real)
    on_fake = disc(fake)
    return bce(on_real, torch.ones_like(on_real)) + bce(on_fake, torch.zeros_like(on_fake))


def fool_loss(disc, fake):
    verdict = disc(fake)
    return bce(verdict, torch.ones_like(verdict))


def slope_penalty(disc, real, fake):
    """One-centred penalty on straight lines between real and made pictures."""
    mix = torch.rand(real.size(0), 1, 1, 1)
    x = (mix * real + (1 - mix) * fake).requires_grad_(True)
    (grad,) = torch.autograd.grad(disc(x).sum(), x, create_graph=True)
    return (grad.flatten(1).norm(dim=1) - 1).pow(2).mean()
