import copy

import torch


class EMA:
    def __init__(self, model, decay=0.99):
        self.decay = decay
        self.model = copy.deepcopy(model)
        self.model.eval()
        for p in self.model.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for mine, other in zip(self.model.parameters(), model.parameters()):
            mine.mul_(self.decay).add_(other, alpha=1 - self.decay)
