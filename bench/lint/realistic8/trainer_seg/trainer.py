import logging
from contextlib import contextmanager

import torch
import torch.nn.functional as F
from torch import nn

log = logging.getLogger(__name__)


def dice_loss(logits, mask, eps=1.0):
    p = torch.sigmoid(logits)
    inter = (p * mask).sum(dim=(1, 2, 3))
    return 1 - ((2 * inter + eps) / (p.sum(dim=(1, 2, 3)) + mask.sum(dim=(1, 2, 3)) + eps)).mean()


@contextmanager
def evaluating(net):
    """eval mode inside, the former mode outside"""
    was_training = net.training
    net.eval()
    try:
        with torch.no_grad():
            yield net
    finally:
        net.train(was_training)


class BestKeeper:
    def __init__(self, patience):
        self.patience, self.best, self.bad, self.weights = patience, float("inf"), 0, None

    def on_epoch_end(self, trainer, val_loss):
        if val_loss < self.best:
            self.best, self.bad = val_loss, 0
            self.weights = {k: v.detach().clone() for k, v in trainer.model.state_dict().items()}
        else:
            self.bad += 1
        trainer.should_stop = self.bad >= self.patience

    def on_fit_end(self, trainer):
        trainer.model.load_state_dict(self.weights)


class Trainer:
    def __init__(self, model, cfg, callbacks):
        self.model, self.cfg, self.callbacks = model, cfg, callbacks
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
        self.scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(self.optimizer, patience=1)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.scaler = torch.amp.GradScaler(self.device.type, enabled=self.device.type == "cuda")
        self.should_stop = False

    def criterion(self, logits, mask):
        bce = F.binary_cross_entropy_with_logits(logits, mask)
        return bce + self.cfg.dice_weight * dice_loss(logits, mask)

    def _optimize(self):
        self.scaler.unscale_(self.optimizer)
        nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.clip)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad(set_to_none=True)

    def fit(self, train_loader, val_loader):
        self.model.to(self.device).train()
        for epoch in range(self.cfg.epochs):
            total = 0.0
            for i, (img, mask) in enumerate(train_loader, start=1):
                img, mask = img.to(self.device), mask.to(self.device)
                with torch.autocast(self.device.type, enabled=self.device.type == "cuda"):
                    loss = self.criterion(self.model(img), mask)
                self.scaler.scale(loss / self.cfg.accum).backward()
                total += loss.item()
                if i % self.cfg.accum == 0:
                    self._optimize()
            val_loss, iou = self.evaluate(val_loader)
            self.scheduler.step(val_loss)
            log.info("epoch %d train %.4f val %.4f iou %.3f", epoch, total / len(train_loader), val_loss, iou)
            for cb in self.callbacks:
                cb.on_epoch_end(self, val_loss)
            if self.should_stop:
                break
        for cb in self.callbacks:
            cb.on_fit_end(self)

    def evaluate(self, loader):
        loss_sum = inter = union = n = 0
        with evaluating(self.model) as net:
            for img, mask in loader:
                img, mask = img.to(self.device), mask.to(self.device)
                logits = net(img)
                loss_sum += self.criterion(logits, mask).item() * len(img)
                pred, true = logits > 0, mask > 0.5
                inter += (pred & true).sum().item()
                union += (pred | true).sum().item()
                n += len(img)
        return loss_sum / n, inter / max(union, 1)
