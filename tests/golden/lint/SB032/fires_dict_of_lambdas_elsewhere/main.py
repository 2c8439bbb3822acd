from torch import nn
import torch.nn.functional as F
from registry import SOLVERS, build
def main(loader, cfg):
    net = nn.Linear(8, 3)
    solver = build(SOLVERS, cfg.name, net.parameters(), cfg)
    for epoch in range(cfg.epochs):
        for x, y in loader:
            loss = F.cross_entropy(net(x), y)
            loss.backward()  # expect: SB032
            solver.step()
