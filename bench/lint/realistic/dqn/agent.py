import copy
import random

import torch
import torch.nn as nn
import torch.nn.functional as F


class QNetwork(nn.Module):
    def __init__(self, n_states, n_actions, width=32):
        super().__init__()
        self.fc1 = nn.Linear(n_states, width)
        self.fc2 = nn.Linear(width, width)
        self.out = nn.Linear(width, n_actions)

    def forward(self, state):
        x = F.relu(self.fc1(state))
        x = F.relu(self.fc2(x))
        return self.out(x)


class Agent:
    def __init__(self, n_states, n_actions, gamma=0.97, tau=0.05, lr=1e-3):
        self.n_actions = n_actions
        self.gamma = gamma
        self.tau = tau
        self.q_net = QNetwork(n_states, n_actions)
        self.target_net = copy.deepcopy(self.q_net)
        self.optimizer = torch.optim.Adam(self.q_net.parameters(), lr=lr)

    def act(self, state, epsilon):
        if random.random() < epsilon:
            return random.randrange(self.n_actions)
        with torch.no_grad():
            return int(self.q_net(state.unsqueeze(0)).argmax(dim=1))

    def learn(self, states, actions, rewards, next_states, dones):
        q = self.q_net(states).gather(1, actions.unsqueeze(1)).squeeze(1)
        with torch.no_grad():
            q_next = self.target_net(next_states).max(dim=1)[0]
        expected = rewards + self.gamma * q_next * (1 - dones)
        loss = F.smooth_l1_loss(q, expected)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.update_target()
        return loss.item()

    def update_target(self):
        for target, source in zip(self.target_net.parameters(), self.q_net.parameters()):
            target.data.copy_(self.tau * source.data + (1 - self.tau) * target.data)
