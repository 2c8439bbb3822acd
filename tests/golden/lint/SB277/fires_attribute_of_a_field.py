import torch
from torch import nn


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def decay(self, epoch):
        self.optimizer.learning_rate = 0.1 * 0.5 ** (epoch // 10)  # expect: SB277
