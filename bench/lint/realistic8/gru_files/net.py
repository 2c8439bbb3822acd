import torch
from torch import nn
from torch.nn import functional as F

from reviews import PAD


class ReviewNet(nn.Module):
    def __init__(self, vocab=40, dim=24, hidden=32, topics=3):
        super().__init__()
        self.embedding = nn.Embedding(vocab, dim, padding_idx=PAD)
        self.rnn = nn.GRU(dim, hidden, batch_first=True)
        self.rating = nn.Linear(hidden, 1)
        self.topic = nn.Linear(hidden, topics)

    def forward(self, tokens, lengths):
        x = F.dropout(self.embedding(tokens), 0.1, self.training)
        out, _ = self.rnn(x)
        last = out[torch.arange(len(out)), lengths - 1]
        mask = (tokens != PAD).unsqueeze(-1)
        mean = (out * mask).sum(dim=1) / lengths.unsqueeze(1)
        return self.rating(mean).squeeze(1), self.topic(last)
