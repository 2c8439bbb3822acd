import torch
from torch.utils.data import Dataset


class Blobs(Dataset):
    """Grey 16 x 16 pictures of one soft disc each, as bytes; read as numbers from -1 to 1."""

    def __init__(self, n, seed=0):
        g = torch.Generator().manual_seed(seed)
        cy, cx = torch.rand(2, n, generator=g) * 8 + 4
        radius = torch.rand(n, generator=g) * 2 + 2
        yy, xx = torch.meshgrid(torch.arange(16.0), torch.arange(16.0), indexing="ij")
        dist = ((yy - cy[:, None, None]) ** 2 + (xx - cx[:, None, None]) ** 2).sqrt()
        self.pictures = (torch.sigmoid(radius[:, None, None] - dist) * 255).to(torch.uint8)

    def __len__(self):
        return len(self.pictures)

    def __getitem__(self, i):
        return self.pictures[i].float().unsqueeze(0) / 127.5 - 1.0
