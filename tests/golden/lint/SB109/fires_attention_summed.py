import torch
from torch import nn


class Pool(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.score = nn.Linear(dim, 1)

    def forward(self, states):
        weights = torch.softmax(self.score(states).squeeze(-1), dim=0)  # expect: SB109
        return (weights.unsqueeze(-1) * states).sum(dim=1)
