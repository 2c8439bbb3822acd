import torch
from torch import nn

criterion = nn.CrossEntropyLoss()


def loss_of(model, words, tags):
    scores = model(words)
    scores = scores.view(scores.shape[0], scores.shape[-1], -1)  # expect: SB111
    return criterion(scores, tags)
