import random

import numpy as np
import torch
from torch.utils.data import Dataset

VOID = 255


class Tiles(Dataset):
    """Aerial tiles of 48 x 48 with four land classes and some void pixels."""

    COLOURS = np.array([[60, 120, 60], [200, 60, 50], [40, 80, 200], [180, 180, 170]])

    def __init__(self, n, seed, crop=32, augment=False):
        rng = np.random.default_rng(seed)
        coarse = rng.integers(0, 4, (n, 6, 6))
        self.masks = coarse.repeat(8, axis=1).repeat(8, axis=2).astype(np.uint8)
        noise = rng.normal(0, 30, (n, 48, 48, 3))
        self.images = np.clip(self.COLOURS[self.masks] + noise, 0, 255).astype(np.uint8)
        self.masks[:, :2] = VOID
        self.crop, self.augment = crop, augment

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        image, mask = self.images[i], self.masks[i]
        if self.augment:
            top, left = random.randint(0, 48 - self.crop), random.randint(0, 48 - self.crop)
            image = image[top:top + self.crop, left:left + self.crop]
            mask = mask[top:top + self.crop, left:left + self.crop]
            if random.random() < 0.5:
                image, mask = image[:, ::-1], mask[:, ::-1]
        image = torch.from_numpy(image.copy()).permute(2, 0, 1).float() / 127.5 - 1
        return image, torch.from_numpy(mask.copy()).long()
