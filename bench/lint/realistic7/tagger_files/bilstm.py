import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class BiLSTMTagger(nn.Module):
    """Tags from a BiLSTM that also sees an attention summary of the sentence."""

    def __init__(self, vocab_size: int, n_tags: int, emb: int = 32, hidden: int = 32, dropout: float = 0.2):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, emb, padding_idx=0)
        nn.init.uniform_(self.embedding.weight, -0.1, 0.1)
        with torch.no_grad():
            self.embedding.weight[0].zero_()
        self.dropout = nn.Dropout(dropout)
        self.lstm = nn.LSTM(emb, hidden, batch_first=True, bidirectional=True)
        self.query = nn.Linear(2 * hidden, 1)
        self.fc = nn.Linear(4 * hidden, n_tags)

    def forward(self, x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        emb = self.dropout(self.embedding(x))
        packed = pack_padded_sequence(emb, lengths.cpu(), batch_first=True)
        states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)

        mask = torch.arange(x.size(1), device=x.device)[None, :] < lengths[:, None]
        scores = self.query(states).squeeze(-1).masked_fill(~mask, -1e4)
        weights = torch.softmax(scores, dim=1)
        summary = torch.bmm(weights.unsqueeze(1), states)
        features = torch.cat([states, summary.expand(-1, x.size(1), -1)], dim=-1)
        return self.fc(self.dropout(features))
