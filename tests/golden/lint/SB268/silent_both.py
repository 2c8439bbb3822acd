import torch
import torch.nn.functional as F
from torch import nn


def distill(student: nn.Module, loader):
    regressor = nn.Conv2d(8, 16, 1)
    frozen = nn.Conv2d(8, 8, 1)
    optimizer = torch.optim.Adam([*student.parameters(), *regressor.parameters()], lr=1e-3)
    for x, wide in loader:
        with torch.no_grad():
            x = frozen(x)
        loss = F.mse_loss(regressor(student(x)), wide)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
