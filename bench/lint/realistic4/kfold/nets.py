from torch import nn


def make_mlp(n_in, n_hidden, n_out, p=0.2):
    return nn.Sequential(
        nn.Linear(n_in, n_hidden), nn.BatchNorm1d(n_hidden), nn.ReLU(), nn.Dropout(p),
        nn.Linear(n_hidden, n_hidden), nn.ReLU(), nn.Linear(n_hidden, n_out),
    )
