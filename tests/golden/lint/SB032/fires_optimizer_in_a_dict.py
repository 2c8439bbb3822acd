import torch
from torch import nn


def train(state, loader):
    for x, y in loader:
        loss = nn.functional.cross_entropy(state["net"](x), y)
        loss.backward()  # expect: SB032
        state["opt"].step()


def main(loader):
    net = nn.Linear(4, 2)
    state = dict(net=net, opt=torch.optim.SGD(net.parameters(), lr=0.1))
    for epoch in range(3):
        train(state, loader)


class Recipe:
    def __init__(self):
        self.parts = {"net": nn.Linear(4, 2)}
        self.optimizer = torch.optim.SGD(self.parts["net"].parameters(), lr=0.1)

    def fit(self, loader):
        for x, y in loader:
            loss = nn.functional.cross_entropy(self.parts["net"](x), y)
            loss.backward()  # expect: SB032
            self.optimizer.step()
