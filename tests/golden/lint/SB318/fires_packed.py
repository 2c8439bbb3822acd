from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Packed(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(8, 16, batch_first=True)
        self.out = nn.Linear(16, 2)

    def forward(self, x, lengths):
        packed, _ = self.rnn(pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False))
        out, _ = pad_packed_sequence(packed, batch_first=True)
        return self.out(out[:, -1, :])  # expect: SB318
