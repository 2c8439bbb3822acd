import torch
from mixins import Names, Updates
from torch import nn


class Trainer(Names, Updates):
    def __init__(self, loader):
        self.model = nn.Linear(20, 5)
        self.optimizer = torch.optim.Adam(self.model.parameters())
        self.loader = loader

    def train(self):
        for x, y in self.loader:
            loss = nn.functional.cross_entropy(self.model(x), y)
            self.update(loss)
        print(self.name())
