import lightning as L
import torch
from torch import nn


class Lit(L.LightningModule):
    def __init__(self, depth=3):
        super().__init__()
        self.convs = [nn.Conv1d(4, 4, 3, padding=1) for _ in range(depth)]  # expect: SB203
        self.head = nn.Linear(4, 2)

    def training_step(self, batch, batch_idx):
        x, y = batch
        for conv in self.convs:
            x = conv(x)
        self.score.update(x)
        return nn.functional.cross_entropy(self.head(x.mean(-1)), y)
