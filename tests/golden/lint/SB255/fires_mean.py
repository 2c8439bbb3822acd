import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.embed = nn.Embedding(n, 16)
        self.rnn = nn.GRU(16, 16)  # expect: SB255
        self.fc = nn.Linear(16, 2)

    def forward(self, tokens, lengths):
        out, _ = self.rnn(self.embed(tokens))
        return self.fc(out.mean(dim=1))


class Rater(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.embed = nn.Embedding(n, 16)
        self.rnn = nn.LSTM(16, 16)  # expect: SB255
        self.fc = nn.Linear(16, 2)

    def forward(self, tokens, lengths):
        out, _ = self.rnn(self.embed(tokens))
        return self.fc(out[torch.arange(len(out)), lengths - 1])
