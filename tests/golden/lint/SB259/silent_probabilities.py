import torch
from torch import nn

model = nn.Linear(4, 1)
criterion = nn.BCEWithLogitsLoss()


def accuracy(x, y, mask):
    out = model(x)
    prob = torch.sigmoid(out)
    keep = (prob > 0.5) == y
    more = (torch.sigmoid(model(x)) > 0.5) == y
    return keep & more & (mask > 0.5) & (out > 0)
