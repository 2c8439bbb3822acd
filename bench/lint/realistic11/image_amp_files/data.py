"""Noisy pictures of squares, crosses, rings and stripes."""
import torch
from torch.utils.data import DataLoader, Dataset

from config import Config


def draw(label: int, size: int, gen: torch.Generator) -> torch.Tensor:
    picture = 0.6 * torch.randn(1, size, size, generator=gen)
    r = int(torch.randint(3, 6, (1,), generator=gen))
    cy, cx = torch.randint(r, size - r, (2,), generator=gen).tolist()
    patch = picture[0, cy - r:cy + r + 1, cx - r:cx + r + 1]
    if label == 0:
        patch += 1.0
    elif label == 1:
        patch[r] += 2.0
        patch[:, r] += 2.0
    elif label == 2:
        patch[0] += 2.0
        patch[-1] += 2.0
        patch[:, 0] += 2.0
        patch[:, -1] += 2.0
    else:
        patch[::2] += 1.5
    return picture


class Shapes(Dataset):
    def __init__(self, images, labels, mean, std, augment=False):
        self.images = (images - mean) / std
        self.labels = labels
        self.augment = augment

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        image = self.images[i]
        if self.augment:
            image = self.jitter(image)
        return image, self.labels[i]

    @staticmethod
    def jitter(image):
        if torch.rand(()) < 0.5:
            image = image.flip(-1)
        dy, dx = torch.randint(-2, 3, (2,)).tolist()
        return torch.roll(image, (dy, dx), dims=(1, 2)) + 0.1 * torch.randn_like(image)


def make_images(cfg: Config):
    gen = torch.Generator().manual_seed(cfg.seed)
    n = cfg.n_train + cfg.n_val
    labels = torch.arange(n) * cfg.classes // n
    images = torch.stack([draw(int(k), cfg.size, gen) for k in labels])
    order = torch.randperm(n, generator=gen)
    return images, labels, order[:cfg.n_train].sort().values, order[cfg.n_train:]


def make_loaders(cfg: Config):
    images, labels, train_idx, val_idx = make_images(cfg)
    mean, std = images[train_idx].mean(), images[train_idx].std()
    train_set = Shapes(images[train_idx], labels[train_idx], mean, std, augment=True)
    val_set = Shapes(images[val_idx], labels[val_idx], mean, std)
    train_loader = DataLoader(train_set, batch_size=cfg.batch_size, shuffle=True, drop_last=True)
    val_loader = DataLoader(val_set, batch_size=cfg.batch_size)
    return train_loader, val_loader
