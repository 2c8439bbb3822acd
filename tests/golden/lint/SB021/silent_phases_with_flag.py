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
            with torch.set_grad_enabled(phase == "train"):
                value = loss(model(x), y)
            if phase == "train":
                value.backward()
                optimizer.step()
