import torch


def scale(x_train, x_val):
    x_train = (x_train - x_train.mean(0)) / x_train.std(0)
    x_val = (x_val - x_val.mean(0)) / x_val.std(0)  # expect: SB274
    return x_train, x_val
