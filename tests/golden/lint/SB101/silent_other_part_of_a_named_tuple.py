from collections import namedtuple

import torch
from torch import nn

Output = namedtuple("Output", ["boxes", "logits"])


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.box = nn.Linear(8, 4)
        self.cls = nn.Linear(8, 5)

    def forward(self, x):
        return Output(boxes=torch.sigmoid(self.box(x)), logits=self.cls(x))


def loss_of(x, y):
    out = Head()(x)
    return nn.functional.cross_entropy(out.logits, y)
