"""Two views of each image for contrastive pretraining, and labelled images for the probe."""
import torch
from torch.utils.data import DataLoader, Dataset


class TwoViews(Dataset):
    def __init__(self, images, strength=0.1):
        self.images = images
        self.strength = strength

    def __len__(self):
        return len(self.images)

    def _view(self, image):
        if torch.rand(()) < 0.5:
            image = image.flip(-1)
        return image + self.strength * torch.randn_like(image)

    def __getitem__(self, index):
        image = self.images[index]
        return self._view(image), self._view(image)


class Labelled(Dataset):
    def __init__(self, images, labels):
        self.images, self.labels = images, labels

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.images[index], self.labels[index]


def make_loaders(args):
    generator = torch.Generator().manual_seed(args.seed)
    images = torch.randn(192, 3, 16, 16, generator=generator)
    labels = (images.mean(dim=(1, 2, 3)) > 0).long()
    pretrain = DataLoader(TwoViews(images[:128]), batch_size=args.batch_size, shuffle=True, drop_last=True)
    probe_train = DataLoader(Labelled(images[:128], labels[:128]), batch_size=args.batch_size, shuffle=True)
    probe_test = DataLoader(Labelled(images[128:], labels[128:]), batch_size=args.batch_size)
    return pretrain, probe_train, probe_test
