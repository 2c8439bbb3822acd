import torch
from torch import nn
from torch.nn import functional as F


def train(model, loader, args):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y) / args.accumulation_steps
        loss.backward()
        if (i + 1) % args.accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()


train(nn.Linear(4, 2), [], None)
