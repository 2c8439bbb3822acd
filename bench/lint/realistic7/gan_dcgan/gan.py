# DCGAN on 16x16 blobs
import argparse
import logging

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, Dataset

logger = logging.getLogger(__name__)

parser = argparse.ArgumentParser()
parser.add_argument('--nz', type=int, default=24, help='size of the latent vector')
parser.add_argument('--ngf', type=int, default=16)
parser.add_argument('--ndf', type=int, default=16)
parser.add_argument('--niter', type=int, default=1)
parser.add_argument('--batchSize', type=int, default=32)
parser.add_argument('--lr', type=float, default=2e-4)
parser.add_argument('--beta1', type=float, default=0.5)


class Blobs(Dataset):
    """A bright disc on a dark ground, in [-1, 1]."""

    def __init__(self, n=640):
        g = torch.Generator().manual_seed(0)
        self.centres = 4 + 8 * torch.rand(n, 2, generator=g)
        self.radii = 2 + 2 * torch.rand(n, generator=g)
        ax = torch.arange(16.)
        self.yy, self.xx = torch.meshgrid(ax, ax, indexing='ij')

    def __len__(self):
        return len(self.radii)

    def __getitem__(self, i):
        cy, cx = self.centres[i]
        d = ((self.yy - cy) ** 2 + (self.xx - cx) ** 2).sqrt()
        img = torch.sigmoid(3 * (self.radii[i] - d))
        return (2 * img - 1).unsqueeze(0)


class Generator(nn.Module):
    def __init__(self, nz, ngf):
        super().__init__()
        self.main = nn.Sequential(
            nn.ConvTranspose2d(nz, ngf * 2, 4, 1, 0, bias=False), nn.BatchNorm2d(ngf * 2), nn.ReLU(True),
            nn.ConvTranspose2d(ngf * 2, ngf, 4, 2, 1, bias=False), nn.BatchNorm2d(ngf), nn.ReLU(True),
            nn.ConvTranspose2d(ngf, 1, 4, 2, 1, bias=False), nn.Tanh())

    def forward(self, z):
        return self.main(z)


class Discriminator(nn.Module):
    def __init__(self, ndf):
        super().__init__()
        self.main = nn.Sequential(
            nn.Conv2d(1, ndf, 4, 2, 1, bias=False), nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(ndf, ndf * 2, 4, 2, 1, bias=False), nn.BatchNorm2d(ndf * 2), nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(ndf * 2, 1, 4, 1, 0, bias=False))

    def forward(self, x):
        return self.main(x).view(-1)


def weights_init(m):
    if isinstance(m, (nn.Conv2d, nn.ConvTranspose2d)):
        nn.init.normal_(m.weight, 0.0, 0.02)
    elif isinstance(m, nn.BatchNorm2d):
        nn.init.normal_(m.weight, 1.0, 0.02)
        nn.init.zeros_(m.bias)


def sample(netG, z):
    netG.eval()
    with torch.no_grad():
        images = netG(z)
    netG.train()
    return images


def main(opt):
    torch.manual_seed(999)
    device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
    loader = DataLoader(Blobs(), batch_size=opt.batchSize, shuffle=True, drop_last=True)
    netG = Generator(opt.nz, opt.ngf).to(device)
    netD = Discriminator(opt.ndf).to(device)
    netG.apply(weights_init)
    netD.apply(weights_init)
    criterion = nn.BCEWithLogitsLoss()
    optD = optim.Adam(netD.parameters(), lr=opt.lr, betas=(opt.beta1, 0.999))
    optG = optim.Adam(netG.parameters(), lr=opt.lr, betas=(opt.beta1, 0.999))
    fixed = torch.randn(16, opt.nz, 1, 1, device=device)
    histD, histG = [], []

    for epoch in range(opt.niter):
        for i, real in enumerate(loader):
            real = real.to(device)
            ones = torch.ones(real.size(0), device=device)
            zeros = torch.zeros(real.size(0), device=device)
            noise = torch.randn(real.size(0), opt.nz, 1, 1, device=device)
            fake = netG(noise)

            # discriminator: log D(x) + log(1 - D(G(z)))
            optD.zero_grad()
            optG.zero_grad()
            errD = criterion(netD(real), ones) + criterion(netD(fake.detach()), zeros)
            errD.backward()
            optD.step()

            # generator: log D(G(z))
            errG = criterion(netD(fake), ones)
            errG.backward()
            optG.step()

            histD.append(errD.item())
            histG.append(errG.item())
        pictures = sample(netG, fixed)
        logger.info('%d D %.3f G %.3f mean pixel %.3f', epoch, sum(histD) / len(histD), sum(histG) / len(histG),
                    pictures.mean().item())


if __name__ == '__main__':
    logging.basicConfig(level=logging.INFO)
    main(parser.parse_args())
