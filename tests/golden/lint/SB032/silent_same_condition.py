import torch
from torch import nn


class Agent:
    def __init__(self, n):
        self.actor = nn.Linear(4, 2)
        self.critic = nn.Linear(4, 1)
        self.actor_optimizer = torch.optim.Adam(self.actor.parameters())
        self.critic_optimizer = torch.optim.Adam(self.critic.parameters())

    def update(self, states, targets, n):
        for i in range(n):
            self.critic_optimizer.zero_grad()
            critic_loss = (self.critic(states) - targets).pow(2).mean()
            critic_loss.backward()
            if i == n - 1:
                actor_loss = -self.actor(states).mean()
                self.actor_optimizer.zero_grad()
                actor_loss.backward()
            self.critic_optimizer.step()
            if i == n - 1:
                self.actor_optimizer.step()
