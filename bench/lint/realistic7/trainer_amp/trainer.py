import copy
import math

import torch
import torch.nn as nn
from torch.optim.lr_scheduler import LambdaLR


class Trainer:
    def __init__(self, model, cfg, train_loader, val_loader):
        self.cfg = cfg
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = model.to(self.device)
        self.ema = copy.deepcopy(self.model).eval()
        self.train_loader, self.val_loader = train_loader, val_loader
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=cfg.lr)
        self.total_steps = cfg.epochs * math.ceil(len(train_loader) / cfg.accumulate)
        self.scheduler = LambdaLR(self.optimizer, self._lr_factor)
        self.scaler = torch.amp.GradScaler(self.device.type, enabled=cfg.amp)
        self.start_epoch = 0

    def _lr_factor(self, step):
        if step < self.cfg.warmup_steps:
            return (step + 1) / self.cfg.warmup_steps
        done = (step - self.cfg.warmup_steps) / max(1, self.total_steps - self.cfg.warmup_steps)
        return 0.5 * (1.0 + math.cos(math.pi * min(1.0, done)))

    @torch.no_grad()
    def _update_ema(self):
        d = self.cfg.ema_decay
        for e, p in zip(self.ema.parameters(), self.model.parameters()):
            e.mul_(d).add_(p, alpha=1 - d)

    def _optimizer_step(self):
        self.scaler.unscale_(self.optimizer)
        nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.max_norm)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()
        self.scheduler.step()
        self._update_ema()

    def train_epoch(self):
        self.model.train()
        seen, total = 0, 0.0
        self.optimizer.zero_grad()
        for i, (x, y) in enumerate(self.train_loader):
            x, y = x.to(self.device), y.to(self.device)
            with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.cfg.amp):
                loss = self.criterion(self.model(x), y)
            self.scaler.scale(loss / self.cfg.accumulate).backward()
            if (i + 1) % self.cfg.accumulate == 0 or i + 1 == len(self.train_loader):
                self._optimizer_step()
            total += loss.item() * len(y)
            seen += len(y)
        return total / seen

    @torch.no_grad()
    def validate(self):
        hits = n = 0
        for x, y in self.val_loader:
            x, y = x.to(self.device), y.to(self.device)
            hits += (self.ema(x).argmax(dim=1) == y).sum().item()
            n += len(y)
        return hits / n

    def save(self, epoch):
        torch.save({"model": self.model.state_dict(), "ema": self.ema.state_dict(),
                    "optimizer": self.optimizer.state_dict(), "scheduler": self.scheduler.state_dict(),
                    "scaler": self.scaler.state_dict(), "epoch": epoch}, self.cfg.out)

    def resume(self):
        ckpt = torch.load(self.cfg.out, map_location=self.device, weights_only=True)
        self.model.load_state_dict(ckpt["model"])
        self.ema.load_state_dict(ckpt["ema"])
        self.optimizer.load_state_dict(ckpt["optimizer"])
        self.scheduler.load_state_dict(ckpt["scheduler"])
        self.scaler.load_state_dict(ckpt["scaler"])
        self.start_epoch = ckpt["epoch"] + 1

    def run(self):
        for epoch in range(self.start_epoch, self.cfg.epochs):
            loss = self.train_epoch()
            acc = self.validate()
            self.save(epoch)
            print(f"[{epoch + 1}/{self.cfg.epochs}] loss={loss:.4f} ema_acc={acc:.4f} "
                  f"lr={self.scheduler.get_last_lr()[0]:.2e}")
