import torch
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler


def load(train, test):
    scaler = StandardScaler()
    train, valid = train_test_split(train)
    train = scaler.fit_transform(train)
    return torch.tensor(train), torch.tensor(scaler.transform(valid)), torch.tensor(scaler.transform(test))
