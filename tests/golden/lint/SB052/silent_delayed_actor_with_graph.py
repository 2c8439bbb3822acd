import torch
import torch.nn.functional as F
from torch import nn


class Agent:
    def __init__(self, obs, act, delay=2):
        self.actor = nn.Sequential(nn.Linear(obs, act), nn.Tanh())
        self.critic = nn.Sequential(nn.Linear(obs + act, 1))
        self.actor_opt = torch.optim.Adam(self.actor.parameters())
        self.critic_opt = torch.optim.Adam(self.critic.parameters())
        self.updates, self.delay = 0, delay

    def update(self, s, a, y):
        loss = F.mse_loss(self.critic(torch.cat([s, a], 1)), y)
        self.critic_opt.zero_grad()
        loss.backward()
        self.critic_opt.step()
        self.updates += 1
        if self.updates % self.delay == 0:
            actor_loss = -self.critic(torch.cat([s, self.actor(s)], 1)).mean()
            self.actor_opt.zero_grad()
            actor_loss.backward()
            self.actor_opt.step()
