import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.embed = nn.Embedding(n, 16)
        self.rnn = nn.GRU(16, 16, num_layers=2, bidirectional=True)  # expect: SB255
        self.fc = nn.Linear(32, 2)

    def forward(self, tokens):
        x = self.embed(tokens)
        output, hidden = self.rnn(x)
        return self.fc(output[:, -1, :])
