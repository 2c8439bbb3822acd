import torch
from torch import nn


class Trainer:
    def __init__(self, model, train_loader, val_loader):
        self.model = model
        self.train_loader = train_loader
        self.val_loader = val_loader
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.Adam(self.model.parameters())

    def _step(self, batch):
        x, y = batch
        logits = self.model(x)
        return self.criterion(logits, y), logits

    def train_epoch(self):
        self.model.train()
        for batch in self.train_loader:
            self.optimizer.zero_grad()
            loss, _ = self._step(batch)
            loss.backward()
            self.optimizer.step()

    def validate(self):
        self.model.eval()
        correct = 0
        with torch.no_grad():
            for batch in self.val_loader:
                _, logits = self._step(batch)
                correct += (logits.argmax(1) == batch[1]).sum().item()
        print(correct)
