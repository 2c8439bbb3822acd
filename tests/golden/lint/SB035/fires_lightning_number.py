import lightning as L
import torch
import torch.nn.functional as F
from torch import nn


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = F.cross_entropy(self.fc(x), y)
        loss = loss.detach()  # expect: SB035
        self.log("loss", loss)
        return loss

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


class Other(Net):
    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = F.cross_entropy(self.fc(x), y)
        return {"loss": loss, "number": loss.item()}
