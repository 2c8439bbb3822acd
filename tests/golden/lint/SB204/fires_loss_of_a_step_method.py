import torch
from torch import nn


class Trainer:
    def __init__(self, model, loader):
        self.model = model
        self.loader = loader
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.Adam(self.model.parameters())

    def _step(self, batch):
        x, y = batch
        logits = self.model(x)
        return self.criterion(logits, y), logits

    def train_epoch(self):
        running = 0.0
        for batch in self.loader:
            self.optimizer.zero_grad()
            loss, _ = self._step(batch)
            loss.backward()
            self.optimizer.step()
            running += loss  # expect: SB204
        return running
