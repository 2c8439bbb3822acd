import torch
from torch import nn


class Trainer:
    def __init__(self, width, loader, val_loader):
        self.model = nn.Sequential(nn.Linear(width, width), nn.Dropout(0.2), nn.Linear(width, 2))
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.AdamW(self.model.parameters())
        self.loader = loader
        self.val_loader = val_loader

    def fit(self, epochs):
        for epoch in range(epochs):
            for x, y in self.loader:
                self.optimizer.zero_grad()
                self.criterion(self.model(x), y).backward()
                self.optimizer.step()
            print(epoch, self._validate())

    def _validate(self):
        total = 0.0
        for x, y in self.val_loader:
            total += self.criterion(self.model(x), y).item()  # expect: SB023
        return total / len(self.val_loader)
