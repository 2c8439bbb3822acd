import torch.nn as nn

criterion = nn.BCEWithLogitsLoss()


def gan_loss(logits, is_real):
    return criterion(logits, logits.new_full(logits.shape, float(is_real)))


def train(netD, netG, loader, optD, noise):
    for real, _ in loader:
        fake = netG(noise(len(real)))
        errD = gan_loss(netD(real), True)  # expect: SB276
        errD = gan_loss(netD(fake.detach()), False)
        optD.zero_grad()
        errD.backward()
        optD.step()
