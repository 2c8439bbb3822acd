import torch
from torch import nn
from torch.utils.data import Dataset


class Chunks(Dataset):
    def __init__(self, tokens, seq_len):
        self.tokens, self.seq_len = tokens, seq_len

    def __len__(self):
        return len(self.tokens) // self.seq_len - 1

    def __getitem__(self, i):
        chunk = self.tokens[i * self.seq_len : (i + 1) * self.seq_len + 1]
        return chunk[:-1], chunk[1:]


class Model(nn.Module):
    def __init__(self, vocab):
        super().__init__()
        self.embed = nn.Embedding(vocab, 32)
        self.rnn = nn.LSTM(32, 32, batch_first=True)
        self.out = nn.Linear(32, vocab)

    def forward(self, x):
        return self.out(self.rnn(self.embed(x))[0])
