import torch


class EarlyStopping:
    def __init__(self, patience):
        self.patience, self.counter, self.best, self.state = patience, 0, None, None

    def __call__(self, value, model):
        if self.best is None or value < self.best:
            self.best, self.counter = value, 0
            self.state = model.state_dict()  # expect: SB242
        else:
            self.counter += 1
        return self.counter >= self.patience




