import torch
from torch import nn


class Agent:
    def __init__(self, actor, critic):
        self.actor, self.critic = actor, critic
        self.actor_opt = torch.optim.Adam(actor.parameters())

    def update(self, s):
        actor_loss = -self.critic(s, self.actor(s))[0].mean()
        self.actor_opt.zero_grad()
        actor_loss.backward()
        self.actor_opt.step()
