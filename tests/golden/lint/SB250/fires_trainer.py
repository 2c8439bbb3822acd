import torch
from torch.optim.lr_scheduler import CosineAnnealingLR, OneCycleLR


class Trainer:
    def __init__(self, model, loader, cfg):
        self.model, self.loader, self.cfg = model, loader, cfg
        self.opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
        self.cycle = OneCycleLR(self.opt, max_lr=cfg.lr, total_steps=cfg.epochs * len(loader))
        self.decay = CosineAnnealingLR(self.opt, T_max=cfg.epochs)

    def train_epoch(self):
        for x, y in self.loader:
            self.opt.zero_grad()
            torch.nn.functional.cross_entropy(self.model(x), y).backward()
            self.opt.step()
            self.decay.step()  # expect: SB250

    def fit(self):
        for epoch in range(self.cfg.epochs):
            self.train_epoch()
            self.cycle.step()  # expect: SB250
