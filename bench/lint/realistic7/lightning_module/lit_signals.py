"""1-D signal classifier with Lightning: pretrained-style encoder, OneCycle, early stopping."""
import lightning as L
import torch
import torch.nn as nn
import torch.nn.functional as F
from lightning.pytorch.callbacks import EarlyStopping, ModelCheckpoint
from torch.utils.data import DataLoader, TensorDataset, random_split
from torchmetrics.classification import MulticlassAccuracy


def synth(n, length=64, seed=0):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, 3, (n,), generator=g)
    t = torch.linspace(0, 1, length)
    freq = torch.tensor([3.0, 5.0, 8.0])[y].unsqueeze(1)
    phase = 6.28 * torch.rand(n, 1, generator=g)
    x = torch.sin(6.28 * freq * t + phase) + 0.4 * torch.randn(n, length, generator=g)
    return x.unsqueeze(1), y


class SignalData(L.LightningDataModule):
    def __init__(self, batch_size=32):
        super().__init__()
        self.batch_size = batch_size

    def setup(self, stage=None):
        full = TensorDataset(*synth(800, seed=0))
        split = torch.Generator().manual_seed(0)
        self.train_set, self.val_set = random_split(full, [640, 160], generator=split)
        self.test_set = TensorDataset(*synth(160, seed=99))

    def train_dataloader(self):
        return DataLoader(self.train_set, batch_size=self.batch_size, shuffle=True)

    def val_dataloader(self):
        return DataLoader(self.val_set, batch_size=self.batch_size)

    def test_dataloader(self):
        return DataLoader(self.test_set, batch_size=self.batch_size)


class LitSignal(L.LightningModule):
    def __init__(self, channels=16, depth=2, n_classes=3, lr=5e-3):
        super().__init__()
        self.save_hyperparameters()
        self.stem = nn.Conv1d(1, channels, 7, padding=3)
        self.convs = nn.ModuleList([nn.Conv1d(channels, channels, 5, padding=2) for _ in range(depth)])
        self.norms = nn.ModuleList([nn.BatchNorm1d(channels) for _ in range(depth)])
        self.drop = nn.Dropout(0.2)
        self.head = nn.Linear(channels, n_classes)
        self.train_acc = MulticlassAccuracy(n_classes)
        self.val_acc = MulticlassAccuracy(n_classes)
        self.test_acc = MulticlassAccuracy(n_classes)

    def forward(self, x):
        x = self.stem(x)
        for conv, norm in zip(self.convs, self.norms):
            x = x + F.relu(norm(conv(x)))
        return self.head(self.drop(x.amax(dim=-1)))

    def training_step(self, batch, batch_idx):
        x, y = batch
        logits = self(x)
        loss = F.cross_entropy(logits, y)
        self.train_acc(logits, y)
        self.log("train_loss", loss, prog_bar=True)
        self.log("train_acc", self.train_acc, on_step=False, on_epoch=True)
        return loss

    def validation_step(self, batch, batch_idx):
        x, y = batch
        logits = self(x)
        self.val_acc.update(logits, y)
        self.log("val_loss", F.cross_entropy(logits, y), on_epoch=True, prog_bar=True)

    def on_validation_epoch_end(self):
        self.log("val_acc", self.val_acc.compute(), prog_bar=True)
        self.val_acc.reset()

    def test_step(self, batch, batch_idx):
        x, y = batch
        self.test_acc(self(x), y)
        self.log("test_acc", self.test_acc, on_step=False, on_epoch=True)

    def configure_optimizers(self):
        opt = torch.optim.AdamW(self.parameters(), lr=self.hparams.lr / 25, weight_decay=0.01)
        sched = torch.optim.lr_scheduler.OneCycleLR(
            opt, max_lr=self.hparams.lr, total_steps=int(self.trainer.estimated_stepping_batches)
        )
        return {"optimizer": opt, "lr_scheduler": {"scheduler": sched, "interval": "step"}}


def cli_main():
    L.seed_everything(42)
    data = SignalData()
    model = LitSignal()
    checkpoint = ModelCheckpoint(monitor="val_acc", mode="max", save_top_k=1)
    stopper = EarlyStopping(monitor="val_loss", mode="min", patience=3)
    trainer = L.Trainer(
        max_epochs=1,
        accelerator="auto",
        devices=1,
        gradient_clip_val=1.0,
        logger=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        callbacks=[checkpoint, stopper],
    )
    trainer.fit(model, datamodule=data)
    print(trainer.test(model, datamodule=data, ckpt_path="best", verbose=False))


if __name__ == "__main__":
    cli_main()
