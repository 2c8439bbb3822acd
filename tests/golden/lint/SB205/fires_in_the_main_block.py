import torch
from torch import nn


def run(net, loader, opt):
    for x, y in loader:
        opt.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        opt.step()


if __name__ == "__main__":
    net = nn.Linear(8, 2)
    loader = [(torch.zeros(1, 8), torch.zeros(1, dtype=torch.long))]
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.9)
    for epoch in range(5):
        sched.step()  # expect: SB205
        run(net, loader, opt)
