import torch
from torch import nn
import torch.nn.functional as F
def main(loader, cfg):
    net = nn.Linear(8, 3)
    solver = (torch.optim.Adam if cfg.adam else torch.optim.SGD)(net.parameters(), lr=cfg.lr)
    for epoch in range(cfg.epochs):
        for x, y in loader:
            loss = F.cross_entropy(net(x), y)
            loss.backward()  # expect: SB032
            solver.step()
