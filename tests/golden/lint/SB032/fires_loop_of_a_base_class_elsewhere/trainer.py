import torch.nn.functional as F
from base import BaseTrainer

class Classifier(BaseTrainer):
    def train_step(self, batch):
        x, y = batch
        loss = F.cross_entropy(self.model(x), y)
        loss.backward()  # expect: SB032
        self.optimizer.step()
        return loss.item()
