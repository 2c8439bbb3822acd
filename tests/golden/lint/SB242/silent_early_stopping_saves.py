import torch


class EarlyStopping:
    def __init__(self, path):
        self.path, self.best, self.state = path, None, None

    def __call__(self, value, model):
        if self.best is None or value < self.best:
            self.best = value
            self.state = model.state_dict()
            torch.save(self.state, self.path)
