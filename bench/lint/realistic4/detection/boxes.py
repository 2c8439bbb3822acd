import torch
from torch.utils.data import Dataset


class OneBox(Dataset):
    """Images with one bright rectangle; target is its box (cx, cy, w, h) and its class."""

    def __init__(self, n, train, size=24):
        self.n, self.size, self.train = n, size, train

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i if self.train else 10_000 + i)
        w, h = torch.randint(4, 10, (2,), generator=g).tolist()
        x = int(torch.randint(0, self.size - w, (1,), generator=g))
        y = int(torch.randint(0, self.size - h, (1,), generator=g))
        image = 0.1 * torch.randn(1, self.size, self.size, generator=g)
        image[:, y:y + h, x:x + w] += 1.0
        box = torch.tensor([x + w / 2, y + h / 2, w, h]) / self.size
        return image, box, int(w > h)
