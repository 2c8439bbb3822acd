import torch
from torch import nn


class Pooling(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.score = nn.Linear(width, 1)

    def forward(self, frames):
        softmax = nn.functional.softmax
        weight = softmax(self.score(frames).squeeze(-1)).unsqueeze(-1)  # expect: SB214
        return torch.sum(frames * weight, dim=1)
