import torch
import torch.nn.functional as F
from torch import nn


class Agent:
    def __init__(self, obs, act):
        self.actor, self.critic = nn.Sequential(nn.Linear(obs, act)), nn.Bilinear(obs, act, 1)
        self.actor_opt = torch.optim.Adam(self.actor.parameters())
        self.critic_opt = torch.optim.Adam(self.critic.parameters())

    def update(self, s, a, y):
        loss = F.mse_loss(self.critic(s, a), y)
        self.critic_opt.zero_grad()
        loss.backward()
        self.critic_opt.step()
        actor_loss = -self.critic(s, self.actor(s)).mean()
        self.actor_opt.zero_grad()
        actor_loss.backward()
        self.actor_opt.step()
