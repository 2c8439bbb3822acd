from dataclasses import dataclass
from typing import Any

import torch
from torch import nn


@dataclass
class Classifier:
    mod: nn.Module
    train_iter: Any
    loss: Any
    optimizer: Any
    scheduler: Any

    def fit(self, n_epochs):
        for epoch in range(n_epochs):
            for i, (x, y) in enumerate(self.train_iter):
                self.optimizer.zero_grad()
                y_hat = self.mod(x)
                l = self.loss(y_hat, y)
                l.backward()
                self.optimizer.step()
                with torch.no_grad():
                    print(l.item())
            self.scheduler.step()
            torch.save({"epoch": epoch, "scheduler": self.scheduler.state_dict()}, f"{epoch}.pth")
