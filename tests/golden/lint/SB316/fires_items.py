import numpy as np
import torch
from torch.utils.data import Dataset


class Noisy(Dataset):
    def __init__(self, x, seed):
        self.x, self.seed = x, seed

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        np.random.seed(42)  # expect: SB316
        return self.x[i] + np.random.randn(*self.x[i].shape)


class Masked(Dataset):
    def __init__(self, x, seed):
        self.x, self.seed = x, seed

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        torch.manual_seed(self.seed)  # expect: SB316
        return self.x[i] * (torch.rand(len(self.x[i])) > 0.15)
