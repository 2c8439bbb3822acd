import torch
from torch import nn


class Keeper:
    def __init__(self):
        self.best, self.weights = float("inf"), None

    def on_epoch_end(self, trainer, val):
        if val < self.best:
            self.best = val
            self.weights = {k: v.detach().clone() for k, v in trainer.model.state_dict().items()}

    def on_fit_end(self, trainer):
        trainer.model.load_state_dict(self.weights)
