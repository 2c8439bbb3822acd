import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone
        self.head = nn.Linear(8, 2)

    def score(self, x):
        self.backbone.eval()
        h = self.backbone(x)
        print(h.max().item())
        return self.head(h)
