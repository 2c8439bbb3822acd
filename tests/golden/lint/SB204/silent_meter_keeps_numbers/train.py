import torch
from torch import nn

from meters import AverageMeter


def train(model: nn.Module, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    meter = AverageMeter()
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        meter.update(loss, len(x))
    return meter
