import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.cuda.amp import GradScaler, autocast


class Trainer:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.scaler = GradScaler()

    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def update(self):
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)  # expect: SB207
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()

    def fit(self, loader):
        for x, y in loader:
            with autocast():
                loss = F.cross_entropy(self.model(x), y)
            self.backward(loss)
            self.update()
