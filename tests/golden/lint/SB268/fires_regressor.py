import torch
import torch.nn.functional as F
from torch import nn


def distill(student: nn.Module, loader):
    regressor = nn.Conv2d(8, 16, 1)  # expect: SB268
    optimizer = torch.optim.Adam(student.parameters(), lr=1e-3)
    for x, wide in loader:
        narrow = student(x)
        loss = F.mse_loss(regressor(narrow), wide)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
