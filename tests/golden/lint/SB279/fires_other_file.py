import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2), nn.Softmax(dim=-1))

    def forward(self, x):
        return self.net(x)


def rollout(env):
    actor = Actor()
    state = env.reset()
    while True:
        scores = actor(state)
        dist = Categorical(logits=scores)  # expect: SB279
        state = env.step(dist.sample())


def discrete(net, x):
    return F.gumbel_softmax(torch.softmax(net(x), dim=-1), tau=0.5, hard=True)  # expect: SB279
