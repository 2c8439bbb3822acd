import torch
import torch.nn.functional as F
from torch import nn


class Agent:
    def __init__(self, n_obs, n_act, gamma=0.99):
        self.q = nn.Sequential(nn.Linear(n_obs, 64), nn.ReLU(), nn.Linear(64, n_act))
        self.optimizer = torch.optim.Adam(self.q.parameters())
        self.gamma = gamma

    def learn(self, s, a, r, s2, done):
        q = self.q(s).gather(1, a.unsqueeze(1)).squeeze(1)
        best = self.q(s2).max(dim=1)[0]
        target = r + self.gamma * best * (1 - done)
        loss = F.smooth_l1_loss(q, target)  # expect: SB235
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
