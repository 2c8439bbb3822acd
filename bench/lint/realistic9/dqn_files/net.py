import torch
import torch.nn as nn


class DuelingQ(nn.Module):
    def __init__(self, n_obs, n_actions, hidden=64):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_obs, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.value = nn.Linear(hidden, 1)
        self.advantage = nn.Linear(hidden, n_actions)

    def forward(self, obs):
        h = self.trunk(obs)
        a = self.advantage(h)
        return self.value(h) + a - a.mean(dim=-1, keepdim=True)
