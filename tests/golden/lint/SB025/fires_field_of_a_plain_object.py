import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(20, 64)
        self.drop = nn.Dropout(0.3)
        self.out = nn.Linear(64, 5)

    def forward(self, x):
        return self.out(self.drop(torch.relu(self.hidden(x))))


class Config:
    def __init__(self):
        self.model = Net()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-3)
        self.epochs = 10


def train_epoch(cfg, loader):
    for x, y in loader:
        cfg.optimizer.zero_grad()
        loss = nn.functional.cross_entropy(cfg.model(x), y)
        loss.backward()
        cfg.optimizer.step()


def validate(cfg, loader):
    cfg.model.eval()
    hits = 0
    with torch.no_grad():
        for x, y in loader:
            hits += (cfg.model(x).argmax(1) == y).sum().item()
    return hits


def main(train_loader, val_loader):
    cfg = Config()
    for epoch in range(cfg.epochs):
        train_epoch(cfg, train_loader)
        print(epoch, validate(cfg, val_loader))  # expect: SB025
