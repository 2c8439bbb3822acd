import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.fc(self.drop(x))


class Trainer:
    def __init__(self, train_loader, val_loader):
        self.model = Net()
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

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        correct = 0
        for batch in self.val_loader:
            _, logits = self._step(batch)
            correct += (logits.argmax(1) == batch[1]).sum().item()
        return correct

    def fit(self):
        for epoch in range(3):
            self.train_epoch()
            print(self.validate())
