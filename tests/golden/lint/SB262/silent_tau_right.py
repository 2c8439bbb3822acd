import copy
import torch
from torch import nn


class Agent:
    def __init__(self, net, tau=0.01):
        self.net, self.target, self.tau = net, copy.deepcopy(net), tau

    @torch.no_grad()
    def soft(self):
        for p, tp in zip(self.net.parameters(), self.target.parameters()):
            tp.mul_(1 - self.tau).add_(p, alpha=self.tau)
