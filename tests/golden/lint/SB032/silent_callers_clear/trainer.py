import torch
from torch import nn


class Trainer:
    def __init__(self, model: nn.Module, inputs, targets):
        self.model, self.inputs, self.targets = model, inputs, targets
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def _step(self, x, y):
        loss = nn.functional.mse_loss(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def fit(self, epochs):
        for epoch in range(epochs):
            for x, y in zip(self.inputs, self.targets):
                self.optimizer.zero_grad()
                self._step(x, y)
