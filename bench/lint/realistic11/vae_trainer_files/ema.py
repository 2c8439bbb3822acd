"""Slow copy of a network's weights."""
import copy

import torch


class Ema:
    def __init__(self, model, decay: float = 0.98):
        self.model = copy.deepcopy(model).eval()
        self.model.requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for slow, fast in zip(self.model.parameters(), model.parameters()):
            slow.mul_(self.decay).add_(fast, alpha=1 - self.decay)
        for slow, fast in zip(self.model.buffers(), model.buffers()):
            slow.copy_(fast)
