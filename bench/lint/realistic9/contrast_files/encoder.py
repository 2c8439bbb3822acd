import copy

import torch
from torch import nn


def backbone(dim):
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, stride=2, padding=1), nn.BatchNorm2d(16), nn.ReLU(),
        nn.Conv2d(16, 32, 3, stride=2, padding=1), nn.BatchNorm2d(32), nn.ReLU(),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(32, dim),
    )


class Momentum(nn.Module):
    """A query encoder, a slow key encoder and a queue of old keys."""

    def __init__(self, dim=32, out=16, queue=128, m=0.98):
        super().__init__()
        self.m = m
        self.query = backbone(dim)
        self.project_q = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, out))
        self.key = copy.deepcopy(self.query)
        self.project_k = copy.deepcopy(self.project_q)
        for p in [*self.key.parameters(), *self.project_k.parameters()]:
            p.requires_grad_(False)
        self.register_buffer("queue", nn.functional.normalize(torch.randn(queue, out), dim=1))
        self.register_buffer("cursor", torch.zeros((), dtype=torch.long))

    @torch.no_grad()
    def follow(self):
        fast = [*self.query.parameters(), *self.project_q.parameters()]
        slow = [*self.key.parameters(), *self.project_k.parameters()]
        for s, f in zip(slow, fast):
            s.data.mul_(self.m).add_(f.data, alpha=1 - self.m)

    @torch.no_grad()
    def enqueue(self, keys):
        at = (int(self.cursor) + torch.arange(len(keys))) % len(self.queue)
        self.queue[at] = keys
        self.cursor.fill_((int(self.cursor) + len(keys)) % len(self.queue))

    def forward(self, a, b):
        q = nn.functional.normalize(self.project_q(self.query(a)), dim=1)
        with torch.no_grad():
            k = nn.functional.normalize(self.project_k(self.key(b)), dim=1)
        return q, k
