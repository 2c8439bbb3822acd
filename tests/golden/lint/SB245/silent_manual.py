import pytorch_lightning as pl
import torch
from torch import nn


class Model(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.net = nn.Linear(4, 2)

    def training_step(self, batch, batch_idx):
        loss = self.net(batch).sum()
        self.manual_backward(loss)
        self.log("loss", loss)
