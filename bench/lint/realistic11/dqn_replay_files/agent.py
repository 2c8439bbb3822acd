"""The learner: an online network and a slow target network."""
import random

import torch
import torch.nn.functional as F
from torch import nn


def make_net(n_obs: int, n_actions: int, hidden: int) -> nn.Module:
    return nn.Sequential(
        nn.Linear(n_obs, hidden), nn.ReLU(),
        nn.Linear(hidden, hidden), nn.ReLU(),
        nn.Linear(hidden, n_actions))


class DQN:
    def __init__(self, n_obs, n_actions, hidden=48, gamma=0.97, lr=1e-3, max_norm=5.0):
        self.online = make_net(n_obs, n_actions, hidden)
        self.target = make_net(n_obs, n_actions, hidden)
        self.sync()
        self.n_actions, self.gamma, self.lr, self.max_norm = n_actions, gamma, lr, max_norm
        self.optimizer = torch.optim.Adam(self.online.parameters(), lr=lr)

    def sync(self):
        self.target.load_state_dict(self.online.state_dict())

    @torch.no_grad()
    def act(self, state, eps: float = 0.0) -> int:
        if random.random() < eps:
            return random.randrange(self.n_actions)
        return int(self.online(torch.from_numpy(state)).argmax())

    def values(self, batch):
        return self.online(batch["s"]).gather(1, batch["a"].unsqueeze(1)).squeeze(1)

    def goals(self, batch):
        with torch.no_grad():
            best = self.target(batch["s2"]).max(dim=1).values
        return batch["r"] + self.gamma * (1 - batch["fallen"]) * best

    def learn(self, batch):
        q, goal = self.values(batch), self.goals(batch)
        loss = (batch["w"] * F.smooth_l1_loss(q, goal, reduction="none")).mean()
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.online.parameters(), self.max_norm)
        self.optimizer.step()
        return loss.item(), (q - goal).abs().detach()
