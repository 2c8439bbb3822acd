from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(100, 8, padding_idx=0)
        self.rnn = nn.LSTM(8, 16, batch_first=True)
        self.out = nn.Linear(16, 2)

    def forward(self, tokens, lengths):
        out, _ = self.rnn(self.embed(tokens))
        last = out[:, -1]  # expect: SB318
        mask = lengths.unsqueeze(1)
        return self.out(last), mask
