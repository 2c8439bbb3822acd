import contextlib
import torch
from torch import nn
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, opt, crit):
        self.model = model
        self.opt = opt
        self.crit = crit

    def step(self, x, y):
        model, opt = self.model, self.opt
        opt.zero_grad()
        out = model(x)
        loss = self.crit(out, y)
        loss.backward()
        opt.step()
        return loss.item()

    def train_epoch(self, loader):
        model = self.model
        model.train()
        total = 0.0
        for x, y in loader:
            total += self.step(x, y)
        return float(total)

    def evaluate(self, loader):
        model = self.model
        model.eval()
        correct = 0
        with torch.no_grad():
            for x, y in loader:
                correct += (model(x).argmax(1) == y).sum().item()
        return correct
