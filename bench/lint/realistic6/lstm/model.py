"""A recurrent forecaster."""

import torch
from torch import nn


class Forecaster(nn.Module):
    def __init__(self, n_features=2, hidden=24, layers=2, p=0.1):
        super().__init__()
        self.rnn = nn.LSTM(n_features, hidden, num_layers=layers, dropout=p, batch_first=True)
        self.conv = nn.Conv1d(hidden, hidden, 3, padding=1)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        states, _ = self.rnn(x)
        smooth = self.conv(states.transpose(1, 2))
        return self.out(torch.relu(smooth[:, :, -1])).squeeze(-1)
