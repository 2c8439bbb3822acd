"""Q-learning with a target network and a replay buffer."""

import copy
import random
from collections import deque

import torch
from torch import nn
import torch.nn.functional as F


class QNetwork(nn.Module):
    def __init__(self, n_states, n_actions, width=64):
        super().__init__()
        self.l1 = nn.Linear(n_states, width)
        self.l2 = nn.Linear(width, width)
        self.head = nn.Linear(width, n_actions)

    def forward(self, s):
        return self.head(F.relu(self.l2(F.relu(self.l1(s)))))


class Replay:
    def __init__(self, size):
        self.items = deque(maxlen=size)

    def push(self, *item):
        self.items.append(item)

    def sample(self, n):
        s, a, r, s2, done = zip(*random.sample(self.items, n))
        return torch.stack(s), torch.tensor(a), torch.tensor(r), torch.stack(s2), torch.tensor(done, dtype=torch.float32)

    def __len__(self):
        return len(self.items)


class DQNAgent:
    def __init__(self, n_states, n_actions, gamma=0.97, lr=1e-3):
        self.n_actions = n_actions
        self.gamma = gamma
        self.online = QNetwork(n_states, n_actions)
        self.target = copy.deepcopy(self.online)
        self.optimizer = torch.optim.Adam(self.online.parameters(), lr=lr)
        self.replay = Replay(5000)

    def act(self, state, epsilon):
        if random.random() < epsilon:
            return random.randrange(self.n_actions)
        with torch.no_grad():
            return int(self.online(state.unsqueeze(0)).argmax(1))

    def learn(self, batch_size):
        s, a, r, s2, done = self.replay.sample(batch_size)
        q = self.online(s).gather(1, a.unsqueeze(1)).squeeze(1)
        with torch.no_grad():
            best = self.target(s2).max(dim=1).values
            goal = r + self.gamma * (1 - done) * best
        loss = F.smooth_l1_loss(q, goal)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def sync(self, tau=0.05):
        with torch.no_grad():
            for t, o in zip(self.target.parameters(), self.online.parameters()):
                t.mul_(1 - tau).add_(o, alpha=tau)
