import torch
from torch.utils.data import Dataset


class Images(Dataset):
    def __init__(self, images, mean, std):
        self.images, self.mean, self.std = images, mean, std

    def __getitem__(self, i):
        img = torch.from_numpy(self.images[i])
        img.sub_(self.mean).div_(self.std)  # expect: SB319
        return img


class Rows(Dataset):
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __getitem__(self, i):
        x = self.x[i]
        x.mul_(2.0)  # expect: SB319
        return x, self.y[i]
