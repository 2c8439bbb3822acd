"""Dropout of several kinds in a convolutional tagger; accumulated gradients, validation without dropout."""

import torch
import torch.nn.functional as F
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(30, 12, padding_idx=0)
        self.conv = nn.Conv1d(12, 16, 3, padding=1)
        self.drop = nn.Dropout1d(0.25)
        self.out = nn.Linear(16, 5)

    def forward(self, tokens):
        x = F.dropout(self.embed(tokens), 0.1, self.training)
        x = self.drop(F.relu(self.conv(x.transpose(1, 2)))).transpose(1, 2)
        return self.out(F.dropout(x, p=0.5, training=self.training))


torch.manual_seed(2)
model = torch.compile(Tagger())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
data = [(torch.randint(1, 30, (4, 9)), torch.randint(0, 5, (4, 9))) for _ in range(8)]
for epoch in range(3):
    model.train()
    optimizer.zero_grad()
    for i, (x, y) in enumerate(data):
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten(), label_smoothing=0.1) / 2
        loss.backward()
        if i % 2:
            optimizer.step()
            optimizer.zero_grad()
    model.eval()
    with torch.no_grad():
        print(epoch, sum(F.cross_entropy(model(x).transpose(1, 2), y).item() for x, y in data))
