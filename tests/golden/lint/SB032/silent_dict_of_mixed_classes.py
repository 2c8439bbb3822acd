import torch
from torch import nn
import torch.nn.functional as F
class Meter:
    def __init__(self, p, lr=0):
        self.p = p
    def zero_grad(self):
        pass
    def step(self):
        pass
TABLE = {"a": torch.optim.Adam, "m": Meter}
MORE = {"a": torch.optim.Adam}
MORE["m"] = Meter
def main(loader, name):
    net = nn.Linear(8, 3)
    updater = TABLE[name](net.parameters(), lr=0.1)
    other = MORE[name](net.parameters(), lr=0.1)
    for x, y in loader:
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        updater.run()
        other.run()
