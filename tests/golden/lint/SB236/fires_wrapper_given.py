import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(8, 3)

    def forward(self, x):
        return self.l(x)


from torch.nn.parallel import DistributedDataParallel as DDP


def train_epoch(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model.module(x), y)  # expect: SB236
        loss.backward()
        optimizer.step()


def main(rank, loader):
    model = DDP(Net().to(rank), device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(10):
        train_epoch(model, loader, optimizer)
