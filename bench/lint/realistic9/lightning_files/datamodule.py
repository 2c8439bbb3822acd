import lightning as L
import torch
from torch.utils.data import DataLoader, Dataset, Subset


class Digits(Dataset):
    """28x28 grey pictures, a bright bar at a place that tells the class."""

    def __init__(self, n, seed, transform=None):
        g = torch.Generator().manual_seed(seed)
        self.labels = torch.randint(0, 10, (n,), generator=g)
        self.images = (torch.rand(n, 1, 28, 28, generator=g) * 120).to(torch.uint8)
        for image, label in zip(self.images, self.labels):
            image[0, 2 * label + 3:2 * label + 6] += 100
        self.transform = transform

    def __len__(self):
        return self.labels.numel()

    def __getitem__(self, index):
        image = self.images[index].float() / 255.0
        if self.transform is not None:
            image = self.transform(image)
        return image, self.labels[index]


def noisy(image):
    return (image + 0.05 * torch.randn_like(image)).clamp(0, 1)


class DigitData(L.LightningDataModule):
    def __init__(self, batch_size=32, n=400, n_val=80):
        super().__init__()
        self.batch_size = batch_size
        self.n, self.n_val = n, n_val

    def setup(self, stage=None):
        order = torch.randperm(self.n, generator=torch.Generator().manual_seed(42)).tolist()
        self.train_set = Subset(Digits(self.n, seed=0, transform=noisy), order[self.n_val:])
        self.val_set = Subset(Digits(self.n, seed=0), order[:self.n_val])

    def train_dataloader(self):
        return DataLoader(self.train_set, self.batch_size, shuffle=True)

    def val_dataloader(self):
        return DataLoader(self.val_set, self.batch_size)
