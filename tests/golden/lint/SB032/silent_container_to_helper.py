import torch
from torch import nn
from torch.nn import functional as F


def clear(optimizers):
    for optimizer in optimizers:
        optimizer.zero_grad()


def with_list(model, data):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizers = [optimizer]
    for x, y in data:
        clear(optimizers)
        F.mse_loss(model(x), y).backward()
        optimizer.step()


def with_dict(model, data, prepare_step):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizers = {"main": optimizer}
    for x, y in data:
        prepare_step(optimizers)
        F.mse_loss(model(x), y).backward()
        optimizer.step()


def with_append(model, data, prepare_step):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizers = []
    optimizers.append(optimizer)
    for x, y in data:
        prepare_step(optimizers)
        F.mse_loss(model(x), y).backward()
        optimizer.step()


def with_key(model, data, prepare_step):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizers = {}
    optimizers["main"] = optimizer
    for x, y in data:
        prepare_step(optimizers["main"])
        F.mse_loss(model(x), y).backward()
        optimizer.step()


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.optimizers = [self.optimizer]

    def run(self, data):
        for x, y in data:
            clear(self.optimizers)
            F.mse_loss(self.model(x), y).backward()
            self.optimizer.step()
