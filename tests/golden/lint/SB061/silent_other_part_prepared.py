import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def samples(n):
    return TensorDataset(torch.randn(n, 4), torch.randint(0, 2, (n,)))


def main():
    accelerator = Accelerator()
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    train_loader = DataLoader(samples(192), batch_size=16, shuffle=True)
    other_loader = DataLoader(samples(64), batch_size=32)
    model, optimizer, train_loader, other_loader = accelerator.prepare(model, optimizer, train_loader, other_loader)
    for x, y in train_loader:
        accelerator.backward(F.cross_entropy(model(x), y))
        optimizer.step()
        optimizer.zero_grad()
