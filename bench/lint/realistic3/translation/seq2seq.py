#!/usr/bin/env python
"""A GRU encoder and decoder that learns to reverse sequences of digits."""
import random
import time

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

PAD, SOS, EOS = 0, 1, 2
VOCAB = 13
MAX_LEN = 8

random.seed(3)
torch.manual_seed(3)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def make_pairs(n):
    source = torch.full((n, MAX_LEN), PAD)
    target = torch.full((n, MAX_LEN + 1), PAD)
    for i in range(n):
        length = random.randint(3, MAX_LEN - 1)
        digits = torch.randint(3, VOCAB, (length,))
        source[i, :length] = digits
        target[i, 0] = SOS
        target[i, 1:length + 1] = digits.flip(0)
        target[i, length + 1] = EOS
    return source, target


class Encoder(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.embedding = nn.Embedding(VOCAB, hidden, padding_idx=PAD)
        self.dropout = nn.Dropout(0.1)
        self.gru = nn.GRU(hidden, hidden, batch_first=True)

    def forward(self, tokens):
        output, state = self.gru(self.dropout(self.embedding(tokens)))
        return state


class Decoder(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.embedding = nn.Embedding(VOCAB, hidden, padding_idx=PAD)
        self.gru = nn.GRU(hidden, hidden, batch_first=True)
        self.out = nn.Linear(hidden, VOCAB)
        self.log_softmax = nn.LogSoftmax(dim=-1)

    def forward(self, token, state):
        output, state = self.gru(self.embedding(token), state)
        return self.log_softmax(self.out(output)), state


def train_step(source, target, encoder, decoder, enc_opt, dec_opt, criterion):
    enc_opt.zero_grad()
    dec_opt.zero_grad()
    state = encoder(source)
    log_probs, _ = decoder(target[:, :-1], state)
    loss = criterion(log_probs.reshape(-1, VOCAB), target[:, 1:].reshape(-1))
    loss.backward()
    enc_opt.step()
    dec_opt.step()
    return loss.item()


def evaluate(loader, encoder, decoder):
    encoder.eval()
    decoder.eval()
    right = total = 0
    with torch.no_grad():
        for source, target in loader:
            source, target = source.to(device), target.to(device)
            state = encoder(source)
            token = target[:, :1]
            for t in range(1, target.size(1)):
                log_probs, state = decoder(token, state)
                token = log_probs.argmax(dim=-1)
                mask = target[:, t] != PAD
                right += (token[:, 0] == target[:, t])[mask].sum().item()
                total += mask.sum().item()
    return right / total


encoder, decoder = Encoder(32).to(device), Decoder(32).to(device)
enc_opt = torch.optim.Adam(encoder.parameters(), lr=1e-2)
dec_opt = torch.optim.Adam(decoder.parameters(), lr=1e-2)
criterion = nn.NLLLoss(ignore_index=PAD)
train_loader = DataLoader(TensorDataset(*make_pairs(256)), batch_size=32, shuffle=True)
valid_loader = DataLoader(TensorDataset(*make_pairs(64)), batch_size=32)

for epoch in range(2):
    encoder.train()
    decoder.train()
    start, total = time.time(), 0.0
    for source, target in train_loader:
        total += train_step(source.to(device), target.to(device), encoder, decoder, enc_opt, dec_opt, criterion)
    accuracy = evaluate(valid_loader, encoder, decoder)
    print(f"{epoch:3d} loss {total / len(train_loader):.3f} accuracy {accuracy:.3f} {time.time() - start:.1f}s")
