import torch
from sklearn.preprocessing import StandardScaler


def scale(x_train, x_val, y_test):
    mean, std = x_train.mean(0), x_train.std(0)
    x_val = (x_val - mean) / std
    scaler, other = StandardScaler(), StandardScaler()
    x_train = scaler.fit_transform(x_train)
    y = other.fit_transform(y_test)
    return scaler.transform(x_val), y
