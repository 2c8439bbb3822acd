import torch
from torch.utils.data import Dataset

VOID = 255
N_SEG, N_TAGS, SIDE = 4, 3, 24


class Scenes(Dataset):
    """Rectangles on a ground: a class per pixel (some void), a depth per pixel (0: not measured), tags per picture."""

    def __init__(self, n, seed, flip):
        self.flip = flip
        g = torch.Generator().manual_seed(seed)
        self.seg = torch.zeros(n, SIDE, SIDE, dtype=torch.long)
        self.depth = torch.full((n, SIDE, SIDE), 5.0)
        self.tags = torch.zeros(n, N_TAGS)
        for k in range(n):
            for c in range(1, N_SEG):
                if torch.rand((), generator=g) < 0.3:
                    y, x = torch.randint(0, SIDE - 8, (2,), generator=g).tolist()
                    self.seg[k, y:y + 8, x:x + 8] = c
                    self.depth[k, y:y + 8, x:x + 8] = 4.0 - c
                    self.tags[k, c - 1] = 1.0
        colour = torch.rand(N_SEG, 3, generator=torch.Generator().manual_seed(31))
        self.image = colour[self.seg].permute(0, 3, 1, 2) + 0.1 * torch.randn(n, 3, SIDE, SIDE, generator=g)
        self.seg[torch.rand(self.seg.shape, generator=g) < 0.05] = VOID
        self.depth[torch.rand(self.depth.shape, generator=g) < 0.2] = 0.0

    def __len__(self):
        return len(self.image)

    def __getitem__(self, i):
        image, seg, depth = self.image[i], self.seg[i], self.depth[i]
        if self.flip and torch.rand(()) < 0.5:
            image, seg, depth = image.flip(-1), seg.flip(-1), depth.flip(-1)
        return {"image": image, "seg": seg, "depth": depth, "tags": self.tags[i]}
