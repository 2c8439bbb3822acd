import torch
from torch import nn
from torch.nn import functional as F

body = nn.Linear(4, 4)
head = nn.Linear(4, 1)
optimizer = torch.optim.SGD(head.parameters(), lr=0.1)


def train(batches):
    for x, y in batches:
        with torch.no_grad():
            features = body(x)
        features = features.clone().detach().requires_grad_(True)
        optimizer.zero_grad()
        loss = F.mse_loss(head(features), y)
        loss.backward()
        optimizer.step()
