import copy

import torch
import torch.nn.functional as F


class Agent:
    def __init__(self, net):
        self.net = net
        self.target_net = copy.deepcopy(net)
        self.optimizer = torch.optim.Adam(self.net.parameters())

    def learn(self, s, a, r, s2):
        q = self.net(s).gather(1, a)
        with torch.no_grad():
            best = self.target_net(s2).max(1, keepdim=True)[0]
        self.optimizer.zero_grad()
        F.mse_loss(q, r + best).backward()
        self.optimizer.step()


def train(agent, batches):
    for i, batch in enumerate(batches):
        agent.learn(*batch)
        if i % 100 == 0:
            agent.target_net.load_state_dict(agent.net.state_dict())
