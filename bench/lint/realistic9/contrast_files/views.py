import torch
from torch.utils.data import Dataset

N_KINDS = 6


def textures(n, seed):
    """Pictures of stripes: the angle and the width are the kind."""
    gen = torch.Generator().manual_seed(seed)
    kind = torch.randint(N_KINDS, (n,), generator=gen)
    yy, xx = torch.meshgrid(torch.arange(20.0), torch.arange(20.0), indexing="ij")
    angle = (kind.float() * 0.5).view(-1, 1, 1)
    phase = 6.28 * torch.rand(n, 1, 1, generator=gen)
    x = torch.sin((xx * angle.cos() + yy * angle.sin()) * 0.9 + phase)
    return x.unsqueeze(1), kind


class Augment:
    def __init__(self, noise=0.3, size=16):
        self.noise, self.size = noise, size

    def __call__(self, x):
        top, left = torch.randint(0, x.shape[-1] - self.size + 1, (2,)).tolist()
        x = x[..., top:top + self.size, left:left + self.size]
        gain = 0.7 + 0.6 * torch.rand(1)
        return x * gain + self.noise * torch.randn_like(x)


class Pairs(Dataset):
    def __init__(self, pictures, augment):
        self.pictures, self.augment = pictures, augment

    def __len__(self):
        return len(self.pictures)

    def __getitem__(self, i):
        return self.augment(self.pictures[i]), self.augment(self.pictures[i])


def centre(x, size=16):
    edge = (x.shape[-1] - size) // 2
    return x[..., edge:edge + size, edge:edge + size]
