import copy

import torch


class EarlyStopping:
    def __init__(self, patience):
        self.patience, self.best, self.state = patience, None, None

    def __call__(self, value, model):
        if self.best is None or value < self.best:
            self.best = value
            self.state = copy.deepcopy(model.state_dict())


torch.manual_seed(0)
