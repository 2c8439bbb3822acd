import torch
import torch.nn.functional as F

from base_trainer import BaseTrainer


class SupervisedTrainer(BaseTrainer):
    def training_step(self, batch):
        x, y = batch
        return F.cross_entropy(self.model(x), y, label_smoothing=0.05)

    def validation_step(self, batch):
        x, y = batch
        predicted = self.model(x).argmax(dim=1)
        return (predicted == y).sum().item(), len(y)


class DistillTrainer(SupervisedTrainer):
    """Hinton's distillation: soft targets of a finished teacher next to the hard labels."""

    def __init__(self, student, teacher, optimizer, scheduler=None, *, temperature=3.0, alpha=0.7, **kw):
        super().__init__(student, optimizer, scheduler, **kw)
        self.teacher = teacher.to(self.device)
        self.teacher.eval()
        self.teacher.requires_grad_(False)
        self.temperature = temperature
        self.alpha = alpha
        self.soft_losses = []

    def on_epoch_start(self, epoch):
        super().on_epoch_start(epoch)
        self.soft_losses.clear()

    def soft_targets(self, x):
        with torch.no_grad():
            return F.softmax(self.teacher(x) / self.temperature, dim=1)

    def soft_loss(self, logits, targets):
        log_p = F.log_softmax(logits / self.temperature, dim=1)
        return F.kl_div(log_p, targets, reduction="batchmean") * self.temperature ** 2

    def training_step(self, batch):
        x, y = batch
        logits = self.model(x)
        soft = self.soft_loss(logits, self.soft_targets(x))
        hard = F.cross_entropy(logits, y)
        self.soft_losses.append(soft.item())
        return self.alpha * soft + (1 - self.alpha) * hard

    def on_epoch_end(self, epoch, metric):
        super().on_epoch_end(epoch, metric)
        print(f"     soft part {sum(self.soft_losses) / len(self.soft_losses):.4f}")
