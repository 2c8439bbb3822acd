import copy
import torch
from torch import nn


class Agent:
    def __init__(self):
        self.q_net = nn.Linear(4, 2)
        self.target_net = copy.deepcopy(self.q_net)

    def update_target(self, tau):
        for old, new in zip(self.target_net.parameters(), self.q_net.parameters()):
            old.data.copy_(tau * new.data + (1 - tau) * old.data)
