import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

PAD = 0


def collate(batch):
    return pad_sequence(batch, batch_first=True, padding_value=PAD)


def fit(model, optimizer, loader):
    criterion = nn.CrossEntropyLoss()  # expect: SB272
    for x, y in loader:
        logits = model(x)
        loss = criterion(logits.view(-1, logits.size(-1)), y.view(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
