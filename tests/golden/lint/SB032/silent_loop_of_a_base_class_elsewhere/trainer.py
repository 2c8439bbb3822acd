import torch.nn.functional as F
from base import BaseTrainer

class Classifier(BaseTrainer):
    def train_step(self, batch):
        x, y = batch
        loss = F.cross_entropy(self.model(x), y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()
