import torch
import torch.nn.functional as F
from torch import nn


class Autoencoder(nn.Module):
    def __init__(self, vocab, dim=64):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.block = nn.TransformerEncoderLayer(dim, 4, batch_first=True)
        self.head = nn.Linear(dim, vocab)

    def forward(self, tokens):
        return self.head(self.block(self.embed(tokens)))


def train(loader, vocab):
    model = Autoencoder(vocab)
    optimizer = torch.optim.Adam(model.parameters())
    for tokens in loader:
        logits = model(tokens)
        loss = F.cross_entropy(logits.view(-1, vocab), tokens.view(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
