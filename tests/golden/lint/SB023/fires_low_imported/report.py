import torch

from train import validate


def report(model, loader):
    model.eval()
    with torch.no_grad():
        return validate(model, loader)
