from dataclasses import dataclass
from typing import Any

import torch


@dataclass
class Classifier:
    mod: torch.nn.Module
    optimizer: Any
    scheduler: Any

    def fit(self, batches, n_epochs):
        for epoch in range(n_epochs):
            for x, y in batches:
                self.optimizer.zero_grad()
                loss = torch.nn.functional.mse_loss(self.mod(x), y)
                loss.backward()
                self.optimizer.step()
            if hasattr(self, "scheduler"):
                self.scheduler.step()
