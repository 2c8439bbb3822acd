import torch


class Trainer:
    def __init__(self, model, cfg):
        self.model, self.cfg = model, cfg
        self.best_loss = float("inf")
        self.bad_epochs = 0

    def fit(self, train, evaluate):
        for epoch in range(self.cfg.epochs):
            train(self.model)
            loss = evaluate(self.model)
            if loss < self.best_loss:
                self.best_loss, self.bad_epochs = loss, 0
            else:
                self.bad_epochs += 1
                if self.bad_epochs >= self.cfg.patience:
                    break
