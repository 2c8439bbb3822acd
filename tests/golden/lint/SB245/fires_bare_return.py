import pytorch_lightning as pl
import torch
from torch import nn


class Model(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 2)
        self.criterion = nn.CrossEntropyLoss()

    def training_step(self, batch, batch_idx):  # expect: SB245
        loss = self.criterion(self.net(batch[0]), batch[1])
        self.log("loss", loss)
