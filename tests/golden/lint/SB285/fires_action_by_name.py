import torch
from torch import nn


class Agent:
    def __init__(self, actor, critic):
        self.actor, self.critic = actor, critic
        self.actor_opt = torch.optim.Adam(actor.parameters())

    def update(self, s):
        action = self.actor(s)
        q = self.critic(s, action)
        actor_loss = q.mean()  # expect: SB285
        self.actor_opt.zero_grad()
        actor_loss.backward()
        self.actor_opt.step()
