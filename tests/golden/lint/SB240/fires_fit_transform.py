import pandas as pd
import torch
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import MinMaxScaler, StandardScaler


def load(path):
    frame = pd.read_csv(path)
    scaler = StandardScaler()
    x = scaler.fit_transform(frame.drop(columns="target"))  # expect: SB240
    x_train, x_test, y_train, y_test = train_test_split(x, frame["target"].values, test_size=0.2)
    return torch.tensor(x_train), torch.tensor(x_test), torch.tensor(y_train), torch.tensor(y_test)


def load_range(x, y):
    scaler = MinMaxScaler()
    scaler.fit(x)  # expect: SB240
    return train_test_split(x, y), scaler
