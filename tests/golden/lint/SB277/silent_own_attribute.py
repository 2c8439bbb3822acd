import torch
from torch import nn


class Trainer:
    def __init__(self, model):
        self.lr = 0.1
        self.optimizer = torch.optim.SGD(model.parameters(), lr=self.lr)
