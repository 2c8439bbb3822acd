import torch
from torch.utils.data import DataLoader, Dataset, TensorDataset

N_KINDS = 4


def make_pictures(n, seed, size=16):
    """Stripes of four directions in any colour."""
    g = torch.Generator().manual_seed(seed)
    kinds = torch.randint(0, N_KINDS, (n,), generator=g)
    grid = torch.linspace(-1, 1, size)
    yy, xx = torch.meshgrid(grid, grid, indexing="ij")
    angle = kinds * (torch.pi / N_KINDS)
    across = angle.cos()[:, None, None] * xx + angle.sin()[:, None, None] * yy
    phase = 6.3 * torch.rand(n, 1, 1, generator=g)
    waves = torch.sin(9 * across + phase)[:, None]
    colour = torch.rand(n, 3, 1, 1, generator=g)
    return waves * colour + 0.2 * torch.randn(n, 3, size, size, generator=g), kinds


def distort(x):
    """A random shift, colour change and noise."""
    dy, dx = torch.randint(-3, 4, (2,)).tolist()
    x = x.roll((dy, dx), dims=(1, 2))
    x = x * (0.4 + 1.2 * torch.rand(3, 1, 1))
    return x + 0.1 * torch.randn_like(x)


class TwoViews(Dataset):
    def __init__(self, pictures):
        self.pictures = pictures

    def __len__(self):
        return len(self.pictures)

    def __getitem__(self, i):
        x = self.pictures[i]
        return distort(x), distort(x)


def make_loaders(cfg):
    x, y = make_pictures(cfg.n_images, cfg.seed)
    x_test, y_test = make_pictures(cfg.n_images // 4 + 10, cfg.seed + 1)
    pairs = DataLoader(TwoViews(x), batch_size=cfg.batch_size, shuffle=True, drop_last=True)
    labelled = DataLoader(TensorDataset(x, y), batch_size=cfg.batch_size, shuffle=True)
    test = DataLoader(TensorDataset(x_test, y_test), batch_size=cfg.batch_size)
    return pairs, labelled, test
