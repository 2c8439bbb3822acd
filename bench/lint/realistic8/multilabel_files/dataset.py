import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, WeightedRandomSampler


class TagDataset(Dataset):
    """feature rows with six tags (multi-hot) and the number of objects"""

    def __init__(self, n, seed, augment=False):
        rng = np.random.default_rng(seed)
        basis = np.random.default_rng(123).normal(size=(6, 24))
        self.tags = (rng.random((n, 6)) < [0.5, 0.3, 0.3, 0.2, 0.1, 0.1]).astype("float32")
        self.x = (self.tags @ basis + rng.normal(size=(n, 24))).astype("float32")
        self.count = self.tags.sum(1) + rng.normal(size=n).astype("float32") * 0.1
        self.augment = augment

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        x = torch.tensor(self.x[i])
        if self.augment:
            x = x + 0.1 * torch.randn_like(x)
        return x, torch.tensor(self.tags[i]), torch.tensor(self.count[i], dtype=torch.float32)


def pos_weight(tags):
    pos = torch.as_tensor(tags).sum(0)
    return (len(tags) - pos) / pos


def build_loaders(cfg):
    train, val = TagDataset(cfg["n_train"], seed=0, augment=True), TagDataset(cfg["n_val"], seed=1)
    rare = np.where(train.tags[:, 4:].any(1), 3.0, 1.0)
    sampler = WeightedRandomSampler(rare, num_samples=len(train), replacement=True)
    train_loader = DataLoader(train, batch_size=cfg["bs"], sampler=sampler)
    return train_loader, DataLoader(val, batch_size=cfg["bs"]), pos_weight(train.tags)
