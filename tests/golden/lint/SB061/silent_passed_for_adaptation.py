import torch
from torch import nn
from torch.utils.data import DataLoader

from digits import Digits


def adapt(model, batches, optimizer):
    for x, y in batches:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


def main(held_out):
    model = nn.Linear(784, 10)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    test_loader = DataLoader(held_out, batch_size=64)
    adapt(model, test_loader, optimizer)


main(Digits("b"))
