import copy
import torch
from torch import nn


class Trainer:
    def __init__(self, model):
        self.model, self.best, self.best_weights = model, 0.0, None

    def fit(self, epochs):
        for epoch in range(epochs):
            score = self.train_epoch()
            if score > self.best:
                self.best, self.best_weights = score, copy.copy(self.model.state_dict())  # expect: SB242
        self.model.load_state_dict(self.best_weights)
