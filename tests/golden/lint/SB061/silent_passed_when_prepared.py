import torch
from torch import nn
from torch.utils.data import DataLoader

from digits import Digits

from accelerate import Accelerator


def train(model, batches, optimizer, accelerator):
    for x, y in batches:
        optimizer.zero_grad()
        accelerator.backward(nn.functional.cross_entropy(model(x), y))
        optimizer.step()


def main():
    accelerator = Accelerator()
    model = nn.Linear(784, 10)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(Digits("a"), batch_size=64)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    train(model, loader, optimizer, accelerator)


main()
