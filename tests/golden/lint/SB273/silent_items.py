import torch
from imblearn.over_sampling import RandomOverSampler
from sklearn.model_selection import train_test_split
from torch.utils.data import Dataset, random_split


class Pictures(Dataset):
    def __init__(self, items):
        self.items = items

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def make(items, x, y):
    x_train, x_test, y_train, y_test = train_test_split(x, y)
    x_train, y_train = RandomOverSampler().fit_resample(x_train, y_train)
    return random_split(Pictures(items), [0.8, 0.2]), x_train, y_train
