import torch
from torch import nn


def fit(model: nn.Module, batches, n_first, n_second):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
    loss_value = float("nan")
    while loss_value != loss_value:
        for epoch in range(n_first + 2000):
            optimizer.zero_grad()
            loss = model(batches).sum()
            loss.backward()
            optimizer.step()
            loss_value = loss.item()
        scheduler.step()
        for epoch in range(n_second):
            optimizer.zero_grad()
            model(batches).sum().backward()
            optimizer.step()
