import torch
import torch.nn as nn
import torch.nn.functional as F


class ConvEncoder(nn.Module):
    def __init__(self, width=16, out_dim=32):
        super().__init__()
        blocks = []
        channels = 3
        for i in range(2):
            blocks.append(nn.Sequential(
                nn.Conv2d(channels, width * (i + 1), 3, stride=2, padding=1),
                nn.BatchNorm2d(width * (i + 1)),
                nn.ReLU(inplace=True),
            ))
            channels = width * (i + 1)
        self.blocks = nn.ModuleList(blocks)
        self.out = nn.Linear(channels, out_dim)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.out(x.mean(dim=(2, 3)))


class SimCLR(nn.Module):
    def __init__(self, encoder, dim=32, projection=16):
        super().__init__()
        self.encoder = encoder
        self.projector = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, projection))

    def forward(self, x):
        return F.normalize(self.projector(self.encoder(x)), dim=1)


def nt_xent(za, zb, temperature=0.5):
    z = torch.cat([za, zb], dim=0)
    n = za.size(0)
    sim = z @ z.t() / temperature
    sim.fill_diagonal_(float("-inf"))
    targets = torch.cat([torch.arange(n) + n, torch.arange(n)])
    return F.cross_entropy(sim, targets)
