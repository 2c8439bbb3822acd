import torch
from torch import nn
from torch.utils.data import DataLoader

from digits import Digits


class Learner:
    def __init__(self, width):
        self.net = nn.Linear(width, 10)
        self.optimizer = torch.optim.Adam(self.net.parameters())

    def epoch(self, batches):
        for x, y in batches:
            self.optimizer.zero_grad()
            nn.functional.cross_entropy(self.net(x), y).backward()
            self.optimizer.step()


learner = Learner(784)
for _ in range(10):
    learner.epoch(batches=DataLoader(Digits("all"), 64))  # expect: SB061
