import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn


class Trainer:
    def __init__(self, loader):
        self.accelerator = Accelerator(mixed_precision="fp16")
        self.model = nn.Linear(4, 2)
        self.loader = loader
        self.optimizer = torch.optim.Adam(self.model.parameters())

    def fit(self):
        model = self.accelerator.prepare(self.model)  # expect: SB224
        for x, y in self.loader:
            self.accelerator.backward(F.cross_entropy(model(x), y))
            self.optimizer.step()
            self.optimizer.zero_grad()
