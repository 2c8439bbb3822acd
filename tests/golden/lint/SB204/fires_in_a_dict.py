import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train_epoch(loader):
    stats = {"loss": 0.0, "n": 0}
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        stats["loss"] += loss  # expect: SB204
        stats["n"] += 1
    return stats["loss"] / stats["n"]
