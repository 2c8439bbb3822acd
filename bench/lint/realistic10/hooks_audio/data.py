import math

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

RATE, LENGTH = 2000, 1000
NOTES = (110, 165, 220, 330)


class Tones(Dataset):
    def __init__(self, items, augment=False):
        self.items = items
        self.augment = augment
        self.rng = np.random.default_rng()

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        note, speaker, seed = self.items[i]
        own = np.random.default_rng(seed)
        t = np.arange(LENGTH) / RATE
        wave = np.sin(2 * math.pi * NOTES[note] * t + own.uniform(0, 6)) * (0.5 + 0.1 * speaker)
        wave = wave + own.normal(0, 0.3, LENGTH)
        if self.augment:
            wave = np.roll(wave, self.rng.integers(LENGTH)) * self.rng.uniform(0.7, 1.3)
        return torch.from_numpy(wave.astype(np.float32)), note


def reseed(worker_id):
    info = torch.utils.data.get_worker_info()
    info.dataset.rng = np.random.default_rng(info.seed % 2**32)


def recordings(n=560, seed=3):
    rng = np.random.default_rng(seed)
    notes = rng.choice(4, n, p=[0.5, 0.25, 0.15, 0.1])
    return [(int(k), int(rng.integers(6)), int(rng.integers(2**31))) for k in notes]


def loaders(batch=48):
    items = recordings()
    cut = len(items) * 4 // 5
    train, val = items[:cut], items[cut:]
    return (
        DataLoader(Tones(train, augment=True), batch, shuffle=True, drop_last=True, num_workers=2, worker_init_fn=reseed),
        DataLoader(Tones(val), batch),
        [note for note, _, _ in train],
    )
