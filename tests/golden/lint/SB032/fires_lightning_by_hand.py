import lightning as L
import torch
import torch.nn.functional as F
from torch import nn


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.fc = nn.Linear(4, 2)

    def training_step(self, batch, batch_idx):
        opt = self.optimizers()
        x, y = batch
        loss = F.cross_entropy(self.fc(x), y)
        self.manual_backward(loss)  # expect: SB032
        opt.step()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)
