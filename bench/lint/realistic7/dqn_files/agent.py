import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


def mlp(sizes):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers += [nn.Linear(a, b), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


class DoubleDQN:
    """Double DQN (van Hasselt et al. 2016) with hard target updates."""

    def __init__(self, n_obs, n_actions, gamma=0.98, lr=1e-3, sync_every=50):
        self.policy_net = mlp([n_obs, 64, 64, n_actions])
        self.target_net = copy.deepcopy(self.policy_net)
        self.target_net.requires_grad_(False)
        self.optimizer = torch.optim.AdamW(self.policy_net.parameters(), lr=lr, amsgrad=True)
        self.n_actions, self.gamma, self.sync_every = n_actions, gamma, sync_every
        self.updates = 0

    @torch.no_grad()
    def greedy(self, obs):
        q = self.policy_net(torch.as_tensor(obs).unsqueeze(0))
        return q.argmax(dim=1).item()

    def update(self, batch):
        obs, actions, rewards, next_obs, terminal = batch
        q = self.policy_net(obs).gather(1, actions.unsqueeze(1)).squeeze(1)
        with torch.no_grad():
            next_actions = self.policy_net(next_obs).argmax(dim=1, keepdim=True)
            next_q = self.target_net(next_obs).gather(1, next_actions).squeeze(1)
        target = rewards + self.gamma * (1.0 - terminal) * next_q

        loss = F.smooth_l1_loss(q, target)
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(self.policy_net.parameters(), 10.0)
        self.optimizer.step()

        self.updates += 1
        if self.updates % self.sync_every == 0:
            self.target_net.load_state_dict(self.policy_net.state_dict())
        return loss.item()
