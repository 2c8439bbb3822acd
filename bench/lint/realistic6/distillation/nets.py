"""A wide teacher and a narrow student."""

from torch import nn


def block(n_in, n_out):
    return nn.Sequential(nn.Linear(n_in, n_out), nn.BatchNorm1d(n_out), nn.ReLU(), nn.Dropout(0.2))


class MLP(nn.Module):
    def __init__(self, n_in, width, n_classes, depth):
        super().__init__()
        widths = [n_in] + [width] * depth
        self.body = nn.Sequential(*[block(a, b) for a, b in zip(widths[:-1], widths[1:])])
        self.head = nn.Linear(width, n_classes)

    def forward(self, x):
        return self.head(self.body(x))


def make_pair(n_in, n_classes):
    teacher = MLP(n_in, 128, n_classes, 3)
    student = MLP(n_in, 16, n_classes, 2)
    return teacher, student
