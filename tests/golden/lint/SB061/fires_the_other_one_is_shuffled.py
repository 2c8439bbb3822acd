import torch
from torch.utils.data import DataLoader, Subset, TensorDataset


def make_loaders(x, y, batch_size):
    data = TensorDataset(x, y)
    cut = int(0.9 * len(data))
    train_set = Subset(data, range(cut))
    valid_set = Subset(data, range(cut, len(data)))
    train_loader = DataLoader(train_set, batch_size=batch_size)  # expect: SB061
    valid_loader = DataLoader(valid_set, batch_size=batch_size, shuffle=True)
    return train_loader, valid_loader


def windows(n):
    return torch.arange(n)
