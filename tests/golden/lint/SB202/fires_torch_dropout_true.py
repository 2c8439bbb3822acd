import pytorch_lightning as pl
import torch
import torch.nn.functional as F
from torch import nn


class Net(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 4), nn.Linear(4, 2)

    def forward(self, x):
        h = F.relu(self.a(x))
        return self.b(torch.dropout(h, 0.2, True))  # expect: SB202
