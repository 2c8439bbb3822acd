import torch
from torch import nn
from torch.nn import functional as F

def gan(gen, disc, loader):
    gen_optimizer = torch.optim.Adam(gen.parameters())
    disc_optimizer = torch.optim.Adam(disc.parameters())
    for real in loader:
        fake = gen(torch.randn(8, 4))
        disc_loss = disc(fake.detach()).mean() - disc(real).mean()
        disc_loss.backward()
        gen_optimizer.zero_grad()
        disc_optimizer.step()
        disc_optimizer.zero_grad()
        gen_loss = -disc(fake).mean()
        gen_loss.backward()
        gen_optimizer.step()
