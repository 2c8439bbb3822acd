import torch
import torch.nn.functional as F
from torch import nn


def train(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for x, y in loader:
            output = model(x)
            loss = F.cross_entropy(output, y)
            optimizer.zero_grad()
            optimizer.step()  # expect: SB031
            loss.backward()
