import torch
from torch import nn


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(self.optimizer, patience=2)

    def fit(self, epochs):
        for epoch in range(epochs):
            loss = self.train_epoch()
            self.scheduler.step(loss, epoch)
