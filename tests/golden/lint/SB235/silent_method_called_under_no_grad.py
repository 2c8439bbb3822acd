import copy
import torch
import torch.nn.functional as F
from torch import nn


class Critic(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.q = nn.Linear(obs + act, 1)

    def forward(self, s, a):
        return self.q(torch.cat([s, a], 1))


class Agent:
    def __init__(self, obs, act, gamma=0.99):
        self.gamma = gamma
        self.actor, self.critic = nn.Sequential(nn.Linear(obs, act), nn.Tanh()), Critic(obs, act)
        self.critic_target = copy.deepcopy(self.critic)
        self.critic_opt = torch.optim.Adam(self.critic.parameters())

    def bellman(self, r, s2, d):
        a2 = self.actor(s2)
        return r + self.gamma * (1 - d) * self.critic(s2, a2)

    def update(self, batch):
        s, a, r, s2, d = batch
        with torch.no_grad():
            y = self.bellman(r, s2, d)
        loss = F.mse_loss(self.critic(s, a), y)
        self.critic_opt.zero_grad()
        loss.backward()
        self.critic_opt.step()
