"""Embedding and a bidirectional LSTM over padded sentences; the state of the best epoch is loaded at the end."""

import copy

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence


class Sentiment(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(50, 10, padding_idx=0)
        self.rnn = nn.LSTM(10, 12, batch_first=True, bidirectional=True)
        self.head = nn.Linear(24, 1)

    def forward(self, ids, lengths):
        states, _ = self.rnn(self.embedding(ids))
        mask = torch.arange(ids.shape[1])[None] < lengths[:, None]
        pooled = (states * mask[..., None]).sum(1) / lengths[:, None]
        return self.head(pooled).squeeze(-1)


torch.manual_seed(6)
model = Sentiment()
model.compile(dynamic=True)
optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3)
criterion = nn.BCEWithLogitsLoss()
best, best_state = float("inf"), None
for epoch in range(3):
    total = 0.0
    for _ in range(4):
        sentences = [torch.randint(1, 50, (int(torch.randint(3, 9, ())),)) for _ in range(6)]
        lengths = torch.tensor([len(s) for s in sentences])
        ids = pad_sequence(sentences, batch_first=True)
        target = (lengths % 2).float()
        loss = criterion(model(ids, lengths), target)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_value_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.item()
    print("epoch", epoch, total)
    if total < best:
        best, best_state = total, copy.deepcopy(model.state_dict())
model.load_state_dict(best_state)
print(best)
