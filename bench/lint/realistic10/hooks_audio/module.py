import torch
import torch.nn as nn
import torch.nn.functional as F


class NoteTagger(nn.Module):
    """Hooks as in a well-known framework, called by loop.fit."""

    def __init__(self, train_labels, lr=4e-3):
        super().__init__()
        self.lr = lr
        self.window = 128
        self.conv = nn.Sequential(nn.Conv1d(65, 32, 3, padding=1), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.2))
        self.head = nn.Linear(32, 2)
        counts = torch.bincount(torch.tensor(train_labels)).float()
        self.register_buffer("class_weight", counts.sum() / (len(counts) * counts))
        self.reset_metrics()

    def setup(self, n_classes):
        self.head = nn.Linear(32, n_classes)

    def reset_metrics(self):
        self.loss_sum, self.hits, self.seen = 0.0, 0, 0

    def forward(self, wave):
        spec = torch.stft(wave, self.window, 64, window=torch.hann_window(self.window), return_complex=True).abs()
        h = self.conv(torch.log1p(spec))
        return self.head(h.mean(dim=-1))

    def training_step(self, batch, step):
        wave, note = batch
        return F.cross_entropy(self(wave), note, weight=self.class_weight)

    def on_validation_epoch_start(self):
        self.reset_metrics()

    def validation_step(self, batch, step):
        wave, note = batch
        logits = self(wave)
        self.loss_sum += F.cross_entropy(logits, note, reduction="sum")
        self.hits += (logits.argmax(-1) == note).sum().item()
        self.seen += len(note)

    def on_validation_epoch_end(self):
        return {"val_loss": float(self.loss_sum) / self.seen, "val_acc": self.hits / self.seen}

    def configure_optimizers(self, total_steps):
        opt = torch.optim.AdamW(self.parameters(), lr=self.lr)
        sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=total_steps)
        return {"optimizer": opt, "scheduler": sched, "interval": "step"}
