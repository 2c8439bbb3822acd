import copy
import random

import torch
import torch.nn.functional as F

from net import DuelingQ


class Agent:
    def __init__(self, n_obs, n_actions, lr=1e-3, gamma=0.97, n_step=3, tau=0.01, eps=(1.0, 0.05, 400)):
        self.online = DuelingQ(n_obs, n_actions)
        self.target = copy.deepcopy(self.online)
        self.target.requires_grad_(False)
        self.optim = torch.optim.Adam(self.online.parameters(), lr=lr)
        self.n_actions, self.gamma, self.n_step, self.tau = n_actions, gamma, n_step, tau
        self.eps_start, self.eps_end, self.eps_steps = eps
        self.steps = 0

    @property
    def epsilon(self):
        part = min(1.0, self.steps / self.eps_steps)
        return self.eps_start + part * (self.eps_end - self.eps_start)

    @torch.no_grad()
    def act(self, obs, greedy=False):
        if not greedy:
            self.steps += 1
            if random.random() < self.epsilon:
                return random.randrange(self.n_actions)
        q = self.online(torch.as_tensor(obs, dtype=torch.float32).unsqueeze(0))
        return int(q.argmax(dim=1))

    def learn(self, batch):
        q = self.online(batch.obs).gather(1, batch.action.unsqueeze(1)).squeeze(1)
        with torch.no_grad():
            best = self.online(batch.next_obs).argmax(dim=1, keepdim=True)
            future = self.target(batch.next_obs).gather(1, best).squeeze(1)
            goal = batch.reward + self.gamma ** self.n_step * (1 - batch.terminated) * future
        loss = F.smooth_l1_loss(q, goal)
        self.optim.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.online.parameters(), 10.0)
        self.optim.step()
        self.sync()
        return loss.item()

    @torch.no_grad()
    def sync(self):
        for t, o in zip(self.target.parameters(), self.online.parameters()):
            t.lerp_(o, self.tau)
