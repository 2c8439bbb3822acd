import torch
import torch.nn.functional as F
from torch import nn


class Trainer:
    def __init__(self, model, cfg):
        self.model, self.cfg = model, cfg
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.scaler = torch.amp.GradScaler("cuda")

    def criterion(self, x, y):
        return F.cross_entropy(x, y)

    def _optimize(self):
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad(set_to_none=True)

    def fit(self, loader):
        for i, (x, y) in enumerate(loader, start=1):
            loss = self.criterion(self.model(x), y)
            self.scaler.scale(loss).backward()  # expect: SB034
            if i % self.cfg.accum == 0:
                self._optimize()
