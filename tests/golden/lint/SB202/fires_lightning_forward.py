import lightning as L
import torch
import torch.nn.functional as F
from torch import nn


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 4), nn.Linear(4, 2)

    def forward(self, x):
        h = F.relu(self.a(x))
        return self.b(F.dropout(h, 0.2))  # expect: SB202
