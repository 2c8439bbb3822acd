import torch
from torch import nn


class Trainer:
    def __init__(self, model, hooks):
        self.model, self.hooks = model, hooks
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def _step(self, x, y):
        loss = nn.functional.mse_loss(self.model(x), y)
        loss.backward()
        self.optimizer.step()

    def fit(self, data):
        for x, y in data:
            for hook in self.hooks:
                hook.before_step(self)
            self._step(x, y)
