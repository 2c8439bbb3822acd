import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(1, 8, 2, dropout=0.1)
        self.out = nn.Linear(8, 1)

    def forward(self, x):
        return self.out(self.lstm(x)[0])


def windows(values):
    for at in range(10):
        yield values[at : at + 4], values[at + 4]


def train(model, values, optimizer):
    model.train()
    for x, y in windows(values):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()


def validate(model, values):
    total = 0.0
    with torch.no_grad():
        for x, y in windows(values):
            total += nn.functional.mse_loss(model(x), y).item()
    return total

