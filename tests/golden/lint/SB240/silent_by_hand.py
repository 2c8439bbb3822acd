import torch
from torch.utils.data import TensorDataset


def sets(x, y, n):
    mean, std = x[:n].mean(0), x[:n].std(0)
    x = (x - mean) / std
    train_set = TensorDataset(x[:n], y[:n])
    test_set = TensorDataset(x[n:], y[n:])
    return train_set, test_set
