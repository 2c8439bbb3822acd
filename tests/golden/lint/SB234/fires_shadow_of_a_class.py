import torch
from torch import nn


class Averaged:
    def __init__(self, decay):
        self.decay = decay
        self.model = nn.Linear(4, 1)
        self.shadow = self.model.state_dict()  # expect: SB234

    @torch.no_grad()
    def update(self):
        for name, value in self.model.state_dict().items():
            self.shadow[name].lerp_(value, 1 - self.decay)
