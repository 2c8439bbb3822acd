import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.rnn = nn.GRU(16, 16)
        self.other = nn.LSTM(16, 16, batch_first=True)
        self.third = nn.LSTM(16, 16, 1, True, True)

    def forward(self, x):
        output, hidden = self.rnn(x)
        return output[-1]

    def second(self, x):
        output, _ = self.other(x)
        more, _ = self.third(x)
        return output[:, -1] + more[:, -1]

    def turned(self, x):
        output, _ = self.rnn(x.transpose(0, 1))
        output = output.transpose(0, 1)
        return output[:, -1]
