import lightning as L
import torch.nn.functional as F
from torch import nn


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(8, 2)
        self.right, self.seen = 0, 0

    def on_validation_epoch_start(self):
        self.right, self.seen = 0, 0

    def validation_step(self, batch, i):
        x, y = batch
        logits = self.head(x)
        self.right += (logits.argmax(1) == y).sum().item()
        self.seen += len(y)
        self.log("val_loss", F.cross_entropy(logits, y))

    def on_validation_epoch_end(self):
        self.log("val_acc", self.right / self.seen)
