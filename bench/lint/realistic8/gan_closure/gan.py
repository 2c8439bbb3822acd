import argparse
import logging
from itertools import count

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

logger = logging.getLogger("gan")
NZ = 16


def get_args():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=1)
    ap.add_argument("--bs", type=int, default=32)
    ap.add_argument("--lrG", type=float, default=2e-4)
    ap.add_argument("--lrD", type=float, default=2e-4)
    ap.add_argument("--seed", type=int, default=5)
    return ap.parse_args()


def make_digits(n):
    """8x8 bars in [-1, 1]"""
    x = torch.zeros(n, 1, 8, 8)
    rows = torch.randint(0, 7, (n,))
    x[torch.arange(n), 0, rows] = 1.0
    x[torch.arange(n), 0, rows + 1] = 1.0
    return x * 2 - 1


def make_nets():
    netG = nn.Sequential(
        nn.ConvTranspose2d(NZ, 32, 4, bias=False), nn.BatchNorm2d(32), nn.ReLU(True),
        nn.ConvTranspose2d(32, 1, 4, 2, 1), nn.Tanh(),
    )
    netD = nn.Sequential(
        nn.Conv2d(1, 32, 4, 2, 1), nn.LeakyReLU(0.2, True), nn.Dropout(0.3),
        nn.Conv2d(32, 1, 4), nn.Flatten(0),
    )
    for net in (netG, netD):
        net.apply(weights_init)
    return netG, netD


def weights_init(m):
    if isinstance(m, (nn.Conv2d, nn.ConvTranspose2d)):
        nn.init.normal_(m.weight, 0.0, 0.02)


def noise(n):
    return torch.randn(n, NZ, 1, 1)


@torch.no_grad()
def sample(netG, z):
    netG.eval()
    imgs = netG(z)
    netG.train()
    return imgs


def make_step(netG, netD, optG, optD):
    bce = nn.BCEWithLogitsLoss()

    def gan_loss(logits, is_real):
        return bce(logits, torch.full_like(logits, float(is_real)))

    def step(real):
        for opt in (optG, optD):
            opt.zero_grad()
        fake = netG(noise(len(real)))
        errD_real = gan_loss(netD(real), True)
        errD_fake = gan_loss(netD(fake.detach()), False)
        errD = errD_real + errD_fake
        errD.backward()
        optD.step()

        errG = gan_loss(netD(fake), True)
        errG.backward()
        optG.step()
        return errD.item(), errG.item()

    return step


def main(args):
    torch.manual_seed(args.seed)
    netG, netD = make_nets()
    optG = torch.optim.Adam(netG.parameters(), args.lrG, betas=(0.5, 0.999))
    optD = torch.optim.Adam(netD.parameters(), args.lrD, betas=(0.5, 0.999))
    loader = DataLoader(TensorDataset(make_digits(960)), args.bs, shuffle=True, drop_last=True)
    step = make_step(netG, netD, optG, optD)
    fixed = noise(16)
    it, history = count(), []
    for epoch in range(args.epochs):
        for (real,) in loader:
            errD, errG = step(real)
            history.append((errD, errG))
            if next(it) % 10 == 0:
                imgs = sample(netG, fixed)
                logger.info("[%d] D %.3f G %.3f mean pixel %.3f", epoch, errD, errG, imgs.mean().item())
    torch.save({"netG": netG.state_dict(), "history": history}, "gan.pt")


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    main(get_args())
