import torch
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, split):
        self.x, self.y = torch.load(f"{split}.pt")

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


def make_loaders(batch_size):
    train_loader = DataLoader(Images("train"), batch_size=batch_size, shuffle=True)
    val_loader = DataLoader(Images("val"), batch_size=batch_size)
    return train_loader, val_loader
