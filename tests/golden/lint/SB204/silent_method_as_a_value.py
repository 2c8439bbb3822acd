import torch
from torch import nn


class Stepper:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters())

    def step(self, x, y):
        self.opt.zero_grad()
        loss = nn.functional.cross_entropy(self.net(x), y)
        loss.backward()
        self.opt.step()
        return loss


def epoch(step, loader):
    total = 0.0
    for x, y in loader:
        total += step(x, y).item()
    return total


def main(loader):
    net = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 5))
    stepper = Stepper(net)
    for i in range(10):
        print(i, epoch(stepper.step, loader))
