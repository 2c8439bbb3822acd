import random

from torch.utils.data import Dataset


class Rows(Dataset):
    def __init__(self, x):
        random.seed(0)
        self.x = random.sample(x, 100)

    def __getitem__(self, i):
        return self.x[i]
