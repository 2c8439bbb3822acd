import torch
from torch import nn
import torch.nn.functional as F
SCHED = {"cos": torch.optim.lr_scheduler.CosineAnnealingLR, "lin": torch.optim.lr_scheduler.LinearLR}
def main(loader, cfg):
    net = nn.Linear(8, 3)
    opt = torch.optim.Adam(net.parameters(), lr=cfg.lr)
    plan = SCHED[cfg.plan](opt, cfg.epochs)
    for epoch in range(cfg.epochs):
        for x, y in loader:
            loss = F.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
        plan.step()
