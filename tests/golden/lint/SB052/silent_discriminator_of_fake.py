import torch
from torch import nn


def d_step(netD, netG, real, noise, criterion, ones, zeros):
    fake = netG(noise)
    loss = criterion(netD(real), ones) + criterion(netD(fake.detach()), zeros)
    loss.backward()


def critic_step(netD, generator, real, noise, criterion, ones, zeros):
    loss = criterion(netD(real), ones) + criterion(netD(generator(noise).detach()), zeros)
    loss.backward()
