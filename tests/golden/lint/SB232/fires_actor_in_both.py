import torch
from torch import nn


class Agent:
    def __init__(self, obs, act):
        self.actor, self.critic = make(obs, act)
        self.actor_optimizer = torch.optim.Adam(self.actor.parameters(), lr=1e-4)
        self.critic_optimizer = torch.optim.Adam(self.actor.parameters(), lr=1e-3)  # expect: SB232
