import torch
from torch import nn


def fit(model, batches, parts):
    criterion = nn.CrossEntropyLoss()
    optimizers = {name: torch.optim.SGD(p, lr=0.1) for name, p in parts.items()}
    for x, y in batches:
        for opt in optimizers.values():
            opt.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        for opt in optimizers.values():
            opt.step()
