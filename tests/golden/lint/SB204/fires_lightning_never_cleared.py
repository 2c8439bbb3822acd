import lightning as L
import torch.nn.functional as F
from torch import nn


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.losses = []

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = F.cross_entropy(self.fc(x), y)
        self.losses.append(loss)  # expect: SB204
        return loss
