"""The optimizer holds what the place is given on first use, and that is cleared."""
import torch
from torch import nn


class Adapter:
    def __init__(self):
        self.layer = None

    def fit(self, docs):
        for doc in docs:
            if self.layer is None:
                self.layer = nn.Linear(3, 1)
                self.optimizer = torch.optim.SGD(self.layer.parameters(), lr=0.1)
            self.layer.zero_grad()
            loss = self.layer(doc).pow(2).mean()
            loss.backward()
            self.optimizer.step()
