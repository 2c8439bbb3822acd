import numpy as np
import torch
from torch.utils.data import TensorDataset


class Standardizer:
    """Column-wise z-scores."""

    def __init__(self):
        self.mean = None
        self.std = None

    def fit(self, a):
        self.mean = a.mean(axis=0)
        self.std = a.std(axis=0) + 1e-8
        return self

    def transform(self, a):
        return (a - self.mean) / self.std

    def inverse(self, a):
        return a * self.std + self.mean


def load_housing(n=900, seed=0):
    rng = np.random.default_rng(seed)
    area = rng.uniform(30, 250, n)
    rooms = np.round(area / 25 + rng.normal(0, 0.7, n))
    age = rng.uniform(0, 80, n)
    dist = rng.exponential(5, n)
    price = 1500 * area + 8000 * rooms - 700 * age - 4000 * dist + rng.normal(0, 9000, n)
    order = np.argsort(price)  # the file comes sorted by price
    return np.stack([area, rooms, age, dist], axis=1)[order], price[order]


def make_splits(seed=0):
    """Train, validation and test sets, and the scaler of the price."""
    X, y = load_housing(seed=seed)
    idx = np.random.default_rng(seed).permutation(len(X))
    tr, va, te = idx[:600], idx[600:750], idx[750:]
    tr = np.sort(tr)

    xs = Standardizer().fit(X[tr])
    ys = Standardizer().fit(y[tr])

    def pack(rows):
        return TensorDataset(torch.tensor(xs.transform(X[rows]), dtype=torch.float32),
                             torch.tensor(ys.transform(y[rows]), dtype=torch.float32))

    return pack(tr), pack(va), pack(te), ys
