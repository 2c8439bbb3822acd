import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train_epoch(loader):
    sums = {"loss": 0.0}
    for i, (x, y) in enumerate(loader):
        loss = nn.functional.mse_loss(model(x), y)
        sums["loss"] += loss
        if i % 4 == 3:
            optimizer.zero_grad()
            sums["loss"].backward()
            optimizer.step()
            sums["loss"] = 0.0
