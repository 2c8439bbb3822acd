import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 3)

    def forward(self, x):
        return self.body(x)


def label(model, batches):
    model.eval()
    labels = []
    for batch in batches:
        output = model(batch)
        labels.extend(torch.argmax(output, dim=1).tolist())
    return labels


def count(model, batches):
    model.eval()
    n = 0
    for batch, wanted in batches:
        n += (model(batch).argmax(1) == wanted).sum().item()
    return n
