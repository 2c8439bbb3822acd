import torch.nn as nn


class BiLSTMTagger(nn.Module):
    def __init__(self, vocab_size, n_tags, emb_dim=24, hidden=32, dropout=0.3):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, emb_dim, padding_idx=0)
        self.lstm = nn.LSTM(emb_dim, hidden, batch_first=True, bidirectional=True)
        self.dropout = nn.Dropout(dropout)
        self.classifier = nn.Linear(2 * hidden, n_tags)

    def forward(self, tokens):
        embedded = self.dropout(self.embedding(tokens))
        output, _ = self.lstm(embedded)
        return self.classifier(self.dropout(output))
