import torch
from torch.utils.data import TensorDataset


def sets(x, y, n):
    mean, std = x.mean(0), x.std(0)  # expect: SB240
    x = (x - mean) / std
    train_set = TensorDataset(x[:n], y[:n])
    test_set = TensorDataset(x[n:], y[n:])
    return train_set, test_set
