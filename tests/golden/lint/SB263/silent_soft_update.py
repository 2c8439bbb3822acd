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
        for t, p in zip(self.target_net.parameters(), self.net.parameters()):
            t.data.copy_(0.995 * t.data + 0.005 * p.data)
