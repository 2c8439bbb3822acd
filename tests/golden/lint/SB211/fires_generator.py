import torch
from torch import nn


def build(n_classes):
    model = nn.Sequential(nn.Linear(4, 2))
    optimizer = torch.optim.SGD((p for p in model.parameters() if p.requires_grad), lr=0.1)
    model.fc = nn.Linear(2, n_classes)  # expect: SB211
    return model, optimizer
