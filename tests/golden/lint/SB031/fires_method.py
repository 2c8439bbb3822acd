import torch
from torch import nn
from torch.nn import functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.fc(self.drop(x))


class Trainer:
    def __init__(self, loader):
        self.model = Net()
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.Adam(self.model.parameters())
        self.loader = loader

    def run(self):
        for x, y in self.loader:
            loss = self.criterion(self.model(x), y)
            loss.backward()
            self.optimizer.zero_grad()  # expect: SB031
            self.optimizer.step()
