import copy
import time

import torch
from torch.nn.utils import clip_grad_norm_


class BaseTrainer:
    """Owns the loop. Subclasses say what a step is."""

    def __init__(self, model, optimizer, scheduler=None, *, max_norm=None, device="cpu"):
        self.device = torch.device(device)
        self.model = model.to(self.device)
        self.optimizer = optimizer
        self.scheduler = scheduler
        self.max_norm = max_norm
        self.history = []
        self.best_metric = float("-inf")
        self.best_weights = None

    # -- to override ------------------------------------------------------
    def training_step(self, batch):
        raise NotImplementedError

    def validation_step(self, batch):
        """Returns (number right, number seen)."""
        raise NotImplementedError

    def on_epoch_start(self, epoch):
        self.model.train()

    def on_epoch_end(self, epoch, metric):
        if metric > self.best_metric:
            self.best_metric = metric
            self.best_weights = copy.deepcopy(self.model.state_dict())

    # -- the loop ---------------------------------------------------------
    def to_device(self, batch):
        return tuple(t.to(self.device) for t in batch)

    def run_train_epoch(self, loader):
        total, n = 0.0, 0
        for batch in loader:
            batch = self.to_device(batch)
            loss = self.training_step(batch)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            if self.max_norm is not None:
                clip_grad_norm_(self.model.parameters(), self.max_norm)
            self.optimizer.step()
            total += loss.item() * len(batch[0])
            n += len(batch[0])
        return total / n

    @torch.no_grad()
    def validate(self, loader):
        self.model.eval()
        right = seen = 0
        for batch in loader:
            r, s = self.validation_step(self.to_device(batch))
            right += r
            seen += s
        return right / seen

    def fit(self, train_loader, val_loader, epochs):
        for epoch in range(epochs):
            started = time.perf_counter()
            self.on_epoch_start(epoch)
            train_loss = self.run_train_epoch(train_loader)
            if self.scheduler is not None:
                self.scheduler.step()
            metric = self.validate(val_loader)
            self.on_epoch_end(epoch, metric)
            self.history.append({"epoch": epoch, "loss": train_loss, "metric": metric})
            print(f"[{epoch:02d}] loss {train_loss:.4f} metric {metric:.4f} ({time.perf_counter() - started:.1f}s)")
        if self.best_weights is not None:
            self.model.load_state_dict(self.best_weights)
        return self.best_metric
