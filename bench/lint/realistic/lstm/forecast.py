import torch
import torch.nn as nn


class Forecaster(nn.Module):
    """One step ahead from a window; keeps its state over consecutive windows."""

    def __init__(self, n_inputs=1, hidden=24, n_layers=2):
        super().__init__()
        self.hidden, self.n_layers = hidden, n_layers
        self.lstm = nn.LSTM(n_inputs, hidden, n_layers, batch_first=True, dropout=0.1)
        self.readout = nn.Linear(hidden, 1)

    def init_state(self, batch):
        shape = (self.n_layers, batch, self.hidden)
        return torch.zeros(shape), torch.zeros(shape)

    def forward(self, x, state):
        out, state = self.lstm(x, state)
        return self.readout(out[:, -1]).squeeze(-1), state


def detached(state):
    return tuple(s.detach() for s in state)
