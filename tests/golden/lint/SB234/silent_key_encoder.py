import copy

import torch
from torch import nn


class Contrast(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Linear(8, 4)
        self.project_q = nn.Linear(4, 4)
        self.key = copy.deepcopy(self.query)
        self.project_k = copy.deepcopy(self.project_q)

    @torch.no_grad()
    def follow(self):
        fast = [*self.query.parameters(), *self.project_q.parameters()]
        slow = [*self.key.parameters(), *self.project_k.parameters()]
        for s, f in zip(slow, fast):
            s.data.mul_(0.99).add_(f.data, alpha=0.01)

    def forward(self, a, b):
        with torch.no_grad():
            k = self.project_k(self.key(b))
        return self.project_q(self.query(a)), k
