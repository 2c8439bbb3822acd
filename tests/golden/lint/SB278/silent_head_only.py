import torch
from torch import nn


def weights_init(m):
    if isinstance(m, nn.Conv2d):
        nn.init.normal_(m.weight, 0.0, 0.02)


def build(path):
    model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Conv2d(8, 1, 3))
    model.load_state_dict(torch.load(path, weights_only=True))
    model[2].apply(weights_init)
    return model
