import torch.nn.functional as F
from base import BaseTrainer

class Classifier(BaseTrainer):
    def training_step(self, batch):
        x, y = batch
        return F.cross_entropy(self.model(x), y)

    def validation_step(self, batch):
        x, y = batch
        return (self.model(x).argmax(dim=1) == y).sum().item(), len(y)
