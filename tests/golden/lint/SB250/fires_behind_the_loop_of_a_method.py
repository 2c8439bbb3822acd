import torch
from torch import nn


class Trainer:
    def __init__(self, net: nn.Module, loader, epochs):
        self.net = net
        self.loader = loader
        self.opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
        self.sched = torch.optim.lr_scheduler.PolynomialLR(self.opt, total_iters=epochs * len(loader), power=0.9)

    def train(self):
        self.net.train()
        for x, y in self.loader:
            self.opt.zero_grad()
            nn.functional.cross_entropy(self.net(x), y).backward()
            self.opt.step()
        self.sched.step()  # expect: SB250


def main(net, loader, epochs):
    trainer = Trainer(net, loader, epochs)
    for epoch in range(epochs):
        trainer.train()
