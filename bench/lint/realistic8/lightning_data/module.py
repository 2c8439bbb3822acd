import lightning as L
import torch
import torch.nn as nn
import torch.nn.functional as F


class WaveNet(L.LightningModule):
    def __init__(self, channels=(16, 32), lr=3e-3, classes=4):
        super().__init__()
        self.save_hyperparameters()
        widths = [1, *channels]
        self.encoder = nn.Sequential()
        for i, (a, b) in enumerate(zip(widths, widths[1:])):
            self.encoder.append(nn.Sequential(nn.Conv1d(a, b, 5, padding=2), nn.BatchNorm1d(b), nn.ReLU(), nn.MaxPool1d(2)))
        self.head = nn.Linear(channels[-1], classes)
        self.right, self.seen = 0, 0

    def forward(self, x):
        h = self.encoder(x).mean(-1)
        return self.head(F.dropout(h, 0.2, training=self.training))

    def _step(self, batch):
        x, y = batch
        logits = self(x)
        return F.cross_entropy(logits, y), (logits.argmax(1) == y).sum().item(), len(y)

    def training_step(self, batch, batch_idx):
        loss, right, n = self._step(batch)
        self.log("train_loss", loss)
        return loss

    def validation_step(self, batch, batch_idx):
        loss, right, n = self._step(batch)
        self.right += right
        self.seen += n
        self.log("val_loss", loss, prog_bar=True)

    def on_validation_epoch_end(self):
        self.log("val_acc", self.right / self.seen)
        self.right, self.seen = 0, 0

    def test_step(self, batch, batch_idx):
        loss, right, n = self._step(batch)
        self.log("test_acc", right / n, batch_size=n)

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters(), lr=self.hparams.lr)
        scheduler = torch.optim.lr_scheduler.OneCycleLR(
            optimizer, max_lr=self.hparams.lr, total_steps=self.trainer.estimated_stepping_batches)
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": scheduler, "interval": "step"}}
