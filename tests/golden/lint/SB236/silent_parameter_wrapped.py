import torch.nn.functional as F
from torch import optim


def train(model, loader, optimizer: optim.Optimizer):
    model.train()
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
