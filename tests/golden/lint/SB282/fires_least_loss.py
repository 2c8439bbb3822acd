import torch
from torch import nn


class Stopper:
    def __init__(self):
        self.best = float("inf")

    def update(self, model, loss):
        self.best = min(self.best, loss)
        if loss < self.best:  # expect: SB282
            torch.save(model.state_dict(), "best.pt")
