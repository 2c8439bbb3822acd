import pytorch_lightning as pl
import torch
import torch.nn.functional as F
from torch import nn


class Segmenter(pl.LightningModule):
    """Finds bright squares in noise, pixel by pixel."""

    def __init__(self, lr=1e-3):
        super().__init__()
        self.save_hyperparameters()
        self.encoder = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.Conv2d(8, 8, 3, padding=1), nn.ReLU()
        )
        self.head = nn.Conv2d(8, 1, 1)
        self.epoch_losses = []

    def forward(self, x):
        return self.head(self.encoder(x))

    def training_step(self, batch, batch_idx):
        images, masks = batch
        logits = self(images)
        loss = F.binary_cross_entropy_with_logits(logits, masks)
        self.log("train_loss", loss)
        self.epoch_losses.append(loss.detach())
        return loss

    def on_train_epoch_end(self):
        self.log("epoch_loss", torch.stack(self.epoch_losses).mean())
        self.epoch_losses.clear()

    def validation_step(self, batch, batch_idx):
        images, masks = batch
        logits = self(images)
        overlap = ((logits > 0) & (masks > 0.5)).float().sum()
        union = ((logits > 0) | (masks > 0.5)).float().sum().clamp(min=1)
        self.log("val_iou", overlap / union)

    def configure_optimizers(self):
        optimizer = torch.optim.Adam(self.parameters(), lr=self.hparams.lr)
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2)
        return [optimizer], [scheduler]
