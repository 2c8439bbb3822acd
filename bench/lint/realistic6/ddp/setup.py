"""Start-up of the processes and the data of each."""

import os

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler


class Waves(Dataset):
    """Noisy waves of three kinds."""

    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        t = torch.linspace(0, 6.28, 64)
        self.y = torch.randint(0, 3, (n,), generator=g)
        phase = 6.28 * torch.rand(n, 1, generator=g)
        frequency = (self.y.float() + 1).unsqueeze(1)
        self.x = torch.sin(frequency * t + phase) + 0.2 * torch.randn(n, 64, generator=g)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i].unsqueeze(0), self.y[i]


def start():
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29511")
    rank = int(os.environ.get("RANK", 0))
    world = int(os.environ.get("WORLD_SIZE", 1))
    dist.init_process_group("gloo", rank=rank, world_size=world)
    return rank, world


def make_loaders(batch_size):
    train_set, val_set = Waves(256, 0), Waves(64, 1)
    train_sampler = DistributedSampler(train_set, shuffle=True)
    val_sampler = DistributedSampler(val_set, shuffle=False)
    train_loader = DataLoader(train_set, batch_size=batch_size, sampler=train_sampler)
    val_loader = DataLoader(val_set, batch_size=batch_size, sampler=val_sampler)
    return train_loader, val_loader, train_sampler
