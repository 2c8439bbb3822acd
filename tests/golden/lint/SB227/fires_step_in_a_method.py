import torch
import torch.nn.functional as F
from torch import nn


class Trainer:
    def __init__(self, model, loader):
        self.model, self.loader = model, loader
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.scaler = torch.amp.GradScaler("cuda", enabled=torch.cuda.is_available())

    def _optimize(self):
        self.scaler.unscale_(self.optimizer)
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.scaler.step(self.optimizer)  # expect: SB227
        self.optimizer.zero_grad(set_to_none=True)

    def fit(self):
        for i, (x, y) in enumerate(self.loader):
            with torch.autocast("cuda"):
                loss = F.cross_entropy(self.model(x), y)
            self.scaler.scale(loss).backward()
            self._optimize()
