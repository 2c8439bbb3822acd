import torch
from torch import nn


class Shift(nn.Module):
    def __init__(self, by):
        super().__init__()
        self.by = by

    def forward(self, x):
        return torch.roll(x, self.by, dims=-1)


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, width)

    def forward(self, x):
        return torch.relu(self.fc(x))


class Net(nn.Module):
    def __init__(self, depth, teacher):
        super().__init__()
        self.shifts = [Shift(i) for i in range(depth)]
        self.teacher = [Block(8)]
        blocks = [Block(8) for _ in range(depth)]
        self.body = nn.Sequential(*blocks)
        self.blocks = [Block(8) for _ in range(depth)]
        for i, block in enumerate(self.blocks):
            self.add_module(f"block{i}", block)

    def forward(self, x):
        for shift in self.shifts:
            x = shift(x)
        return self.body(x)
