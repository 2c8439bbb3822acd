import torch.nn as nn


class AcousticModel(nn.Module):
    def __init__(self, n_mels=12, n_symbols=8, hidden=24):
        super().__init__()
        self.rnn = nn.GRU(n_mels, hidden, num_layers=2, batch_first=True, dropout=0.1)
        self.proj = nn.Linear(hidden, n_symbols)

    def forward(self, frames):
        out, _ = self.rnn(frames)
        return self.proj(out).log_softmax(dim=-1)
