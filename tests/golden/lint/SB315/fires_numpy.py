import numpy as np
import torch


def make(x, y):
    x_train, y_train = x[np.random.permutation(len(x))], y[np.random.permutation(len(y))]  # expect: SB315
    return torch.tensor(x_train), torch.tensor(y_train)
