import torch
from torch.utils.data import DataLoader, TensorDataset

# statistics of the pictures that the backbone was pretrained on
MEAN = torch.tensor([0.48, 0.45, 0.40]).view(3, 1, 1)
STD = torch.tensor([0.23, 0.22, 0.22]).view(3, 1, 1)


def _pictures(n, n_classes, seed):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, n_classes, (n,), generator=g)
    x = 0.45 + 0.15 * torch.randn(n, 3, 12, 12, generator=g)
    for img, label in zip(x, y):
        img[int(label) % 3] += 0.25
        if label >= 3:
            img[:, 6:] -= 0.2
    return x.clamp(0, 1), y


def normalise(x):
    return (x - MEAN) / STD


def source_task(batch_size):
    x, y = _pictures(600, 6, seed=10)
    return DataLoader(TensorDataset(normalise(x), y), batch_size=batch_size, shuffle=True)


def target_task(batch_size):
    xt, yt = _pictures(500, 4, seed=20)
    xv, yv = _pictures(170, 4, seed=21)
    train = DataLoader(TensorDataset(normalise(xt), yt), batch_size=batch_size, shuffle=True)
    val = DataLoader(TensorDataset(normalise(xv), yv), batch_size=64)
    return train, val
