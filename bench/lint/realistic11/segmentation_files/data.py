"""Synthetic microscope fields: round cells and rod-shaped bacteria on an uneven background."""
import torch
from torch.utils.data import DataLoader, Dataset

BACKGROUND, CELL, ROD = 0, 1, 2


def render_field(size: int, gen: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    image = 0.3 + 0.2 * torch.rand((), generator=gen) * xx / size + 0.15 * torch.randn(size, size, generator=gen)
    mask = torch.full((size, size), BACKGROUND)
    for _ in range(int(torch.randint(1, 4, (), generator=gen))):
        cy, cx = torch.randint(4, size - 4, (2,), generator=gen).tolist()
        if torch.rand((), generator=gen) < 0.5:
            where = (yy - cy) ** 2 + (xx - cx) ** 2 < 16
            kind, light = CELL, 0.8
        else:
            where = ((yy - cy).abs() < 2) & ((xx - cx).abs() < 6)
            kind, light = ROD, 0.6
        image[where] += light
        mask[where] = kind
    return image.unsqueeze(0), mask


class Fields(Dataset):
    def __init__(self, images: torch.Tensor, masks: torch.Tensor, mean: float, std: float, augment: bool = False):
        self.images, self.masks = images, masks
        self.mean, self.std = mean, std
        self.augment = augment

    def __len__(self) -> int:
        return len(self.images)

    def __getitem__(self, i: int):
        image, mask = self.images[i], self.masks[i]
        if self.augment:
            if torch.rand(()) < 0.5:
                image, mask = image.flip(-1), mask.flip(-1)
            if torch.rand(()) < 0.5:
                image, mask = image.flip(-2), mask.flip(-2)
            image = image * (0.8 + 0.4 * torch.rand(()))
        return (image - self.mean) / self.std, mask


def make_loaders(n_fields: int, size: int, batch_size: int, seed: int = 0):
    gen = torch.Generator().manual_seed(seed)
    fields = [render_field(size, gen) for _ in range(n_fields)]
    images = torch.stack([f[0] for f in fields])
    masks = torch.stack([f[1] for f in fields])
    n_train = int(0.75 * n_fields)
    mean, std = images[:n_train].mean().item(), images[:n_train].std().item()
    train_set = Fields(images[:n_train], masks[:n_train], mean, std, augment=True)
    val_set = Fields(images[n_train:], masks[n_train:], mean, std, augment=False)
    train_loader = DataLoader(train_set, batch_size=batch_size, shuffle=True, drop_last=True)
    val_loader = DataLoader(val_set, batch_size=batch_size)
    return train_loader, val_loader
