import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.fc(self.drop(x))


class Base:
    def __init__(self, model, lr=0.1):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr)

    def step(self, batch):
        raise NotImplementedError

    def fit(self, train_loader, val_loader):
        for epoch in range(5):
            self.model.train()
            for batch in train_loader:
                self.step(batch)
            self.evaluate(val_loader)

    def evaluate(self, loader):
        raise NotImplementedError


class Mine(Base):
    def step(self, batch):
        x, y = batch
        loss = nn.functional.cross_entropy(self.model(x), y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    @torch.no_grad()
    def evaluate(self, loader):
        right = 0
        for x, y in loader:
            right += (self.model(x).argmax(1) == y).sum().item()  # expect: SB022
        print(right)


def main(train_loader, val_loader):
    Mine(Net()).fit(train_loader, val_loader)
