import torch
from torch.utils.data import DataLoader, TensorDataset


def make_split(n, n_features, n_classes, seed):
    g = torch.Generator().manual_seed(seed)
    centers = torch.randn(n_classes, n_features, generator=torch.Generator().manual_seed(7))
    labels = torch.arange(n) % n_classes
    features = centers[labels] + torch.randn(n, n_features, generator=g)
    return features, labels


def make_loaders(config):
    x_train, y_train = make_split(320, config.n_features, config.n_classes, 1)
    x_val, y_val = make_split(96, config.n_features, config.n_classes, 2)
    mean, std = x_train.mean(0), x_train.std(0)
    train_set = TensorDataset((x_train - mean) / std, y_train)
    val_set = TensorDataset((x_val - mean) / std, y_val)
    train_loader = DataLoader(train_set, batch_size=config.batch_size, shuffle=True, drop_last=True)
    val_loader = DataLoader(val_set, batch_size=config.batch_size)
    return train_loader, val_loader
