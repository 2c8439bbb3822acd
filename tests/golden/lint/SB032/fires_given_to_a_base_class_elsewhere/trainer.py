import torch
import torch.nn.functional as F
from base import BaseTrainer
from net import Net

class Classifier(BaseTrainer):
    def __init__(self, loader, lr=1e-3):
        model = Net()
        super().__init__(model, torch.optim.Adam(model.parameters(), lr=lr), loader)

    def train_step(self, batch):
        x, y = batch
        loss = F.cross_entropy(self.model(x), y)
        loss.backward()  # expect: SB032
        self.optimizer.step()
        return loss.item()
