import os

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import Dataset


def setup():
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29517")
    rank = int(os.environ.get("RANK", 0))
    world_size = int(os.environ.get("WORLD_SIZE", 1))
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    return rank, world_size


def is_main():
    return dist.get_rank() == 0


class Spirals(Dataset):
    """Three-armed spirals, jittered anew at each access when training."""

    def __init__(self, n, seed, jitter=0.0):
        g = torch.Generator().manual_seed(seed)
        self.labels = torch.randint(0, 3, (n,), generator=g)
        r = torch.rand(n, generator=g)
        phi = 4 * r + 2.0944 * self.labels + 0.15 * torch.randn(n, generator=g)
        self.points = torch.stack([r * phi.cos(), r * phi.sin()], dim=1)
        self.jitter = jitter

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        x = self.points[i]
        if self.jitter:
            x = x + self.jitter * torch.randn(2)
        return x, self.labels[i]


class Net(nn.Module):
    def __init__(self, hidden=64, classes=3):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(2, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.dropout = nn.Dropout(0.1)
        self.classifier = nn.Linear(hidden, classes)

    def forward(self, x):
        return self.classifier(self.dropout(self.encoder(x)))
