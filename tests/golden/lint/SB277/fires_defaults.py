import torch
from torch import nn


def train(model, loader, rates):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for it, (x, y) in enumerate(loader):
        opt.defaults["lr"] = rates[it]  # expect: SB277
        opt.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        opt.step()
