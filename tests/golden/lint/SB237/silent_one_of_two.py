import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR, StepLR


def main(loader, cosine):
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    if cosine:
        scheduler = CosineAnnealingLR(optimizer, 10)
    else:
        scheduler = StepLR(optimizer, 3)
    for epoch in range(10):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
        scheduler.step()
