import copy

import torch


def blend(old, new, rate):
    with torch.no_grad():
        for a, b in zip(old.parameters(), new.parameters()):
            a.mul_(rate).add_(b, alpha=1 - rate)


class Average:
    def __init__(self, net, rate=0.9):
        self.model = copy.deepcopy(net)
        self.rate = rate

    def update(self, net):
        blend(self.model, net, self.rate)
