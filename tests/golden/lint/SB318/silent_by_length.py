import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


class ByLength(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(8, 16, batch_first=True)

    def forward(self, x, lengths):
        out, _ = self.rnn(x)
        return out[torch.arange(len(out)), lengths - 1]


class State(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(8, 16, batch_first=True)

    def forward(self, x, lengths):
        _, h = self.rnn(pack_padded_sequence(x, lengths, batch_first=True))
        return h[-1]


class OneLength(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(8, 16, batch_first=True)

    def forward(self, x):
        out, _ = self.rnn(x)
        return out[:, -1]
