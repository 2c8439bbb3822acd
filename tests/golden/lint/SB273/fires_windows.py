import torch
from torch.utils.data import Dataset, random_split


class WindowDataset(Dataset):
    def __init__(self, series, length):
        self.series, self.length = series, length

    def __len__(self):
        return len(self.series) - self.length

    def __getitem__(self, i):
        return self.series[i : i + self.length], self.series[i + self.length]


def make(series):
    windows = WindowDataset(series, 24)
    train, val = random_split(windows, [0.8, 0.2])  # expect: SB273
    return train, val
