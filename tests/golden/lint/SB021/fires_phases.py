import torch
from torch import nn


def run(model: nn.Module, loaders, optimizer: torch.optim.Optimizer, loss):
    for phase in ["train", "val"]:
        if phase == "train":
            model.train()
        else:
            model.eval()
        for x, y in loaders[phase]:
            optimizer.zero_grad()
            value = loss(model(x), y)  # expect: SB021 low
            if phase == "train":
                value.backward()
                optimizer.step()
