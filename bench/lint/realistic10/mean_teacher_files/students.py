import copy

import torch
import torch.nn as nn


class Classifier(nn.Module):
    def __init__(self, n_in=20, hidden=64, n_out=3):
        super().__init__()
        self.f = nn.Sequential(
            nn.Linear(n_in, hidden), nn.BatchNorm1d(hidden), nn.ReLU(), nn.Dropout(0.2),
            nn.Linear(hidden, hidden), nn.BatchNorm1d(hidden), nn.ReLU(),
            nn.Linear(hidden, n_out),
        )

    def forward(self, x):
        return self.f(x)


class Pair(nn.Module):
    """A student and the slow copy that teaches it."""

    def __init__(self, decay=0.98):
        super().__init__()
        self.student = Classifier()
        self.teacher = copy.deepcopy(self.student)
        self.decay = decay

    def train(self, mode=True):
        super().train(mode)
        self.teacher.eval()
        return self

    @torch.no_grad()
    def advance(self):
        for t, s in zip(self.teacher.parameters(), self.student.parameters()):
            t.lerp_(s, 1 - self.decay)
        for t, s in zip(self.teacher.buffers(), self.student.buffers()):
            t.copy_(s)
