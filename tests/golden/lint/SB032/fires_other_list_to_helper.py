import torch
from torch import nn
from torch.nn import functional as F


def run(model, data, show):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    state = {"optimizer": optimizer.state_dict()}
    for x, y in data:
        loss = F.mse_loss(model(x), y)
        loss.backward()  # expect: SB032
        optimizer.step()
        losses.append(loss.item())
        show(losses, state)
