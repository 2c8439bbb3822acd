import torch
from torch import nn
from torch.utils.data import DataLoader

from digits import Digits


def train(head, batches, optimizer):
    batches = reorder(batches)
    for x, y in batches:
        optimizer.zero_grad()
        nn.functional.cross_entropy(head(x), y).backward()
        optimizer.step()


def reorder(batches):
    return DataLoader(batches.dataset, batches.batch_size, shuffle=True)


head = nn.Linear(784, 10)
train(head, DataLoader(Digits("a"), batch_size=64), torch.optim.SGD(head.parameters(), lr=0.1))
