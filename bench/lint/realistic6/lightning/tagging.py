"""Several labels for a text of word counts, with Lightning."""

import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

N_WORDS, N_LABELS = 200, 5


class Counts(Dataset):
    """Word counts and labels that some words make likely."""

    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.x = torch.poisson(torch.full((n, N_WORDS), 0.3), generator=g)
        topics = torch.randn(N_WORDS, N_LABELS, generator=torch.Generator().manual_seed(7))
        self.y = ((self.x @ topics) > 0).float()

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class CountsModule(L.LightningDataModule):
    def __init__(self, batch_size=32):
        super().__init__()
        self.batch_size = batch_size

    def setup(self, stage=None):
        self.train_set = Counts(256, seed=0)
        self.val_set = Counts(64, seed=1)

    def train_dataloader(self):
        return DataLoader(self.train_set, batch_size=self.batch_size, shuffle=True)

    def val_dataloader(self):
        return DataLoader(self.val_set, batch_size=self.batch_size)


class Tagger(L.LightningModule):
    def __init__(self, width=64, depth=2, lr=1e-3):
        super().__init__()
        self.save_hyperparameters()
        self.embed = nn.Linear(N_WORDS, width)
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(depth)])
        self.dropout = nn.Dropout(0.2)
        self.out = nn.Linear(width, N_LABELS)
        self.loss = nn.BCEWithLogitsLoss()

    def forward(self, x):
        x = torch.relu(self.embed(x))
        for layer in self.layers:
            x = x + torch.relu(layer(self.dropout(x)))
        return self.out(x)

    def training_step(self, batch, batch_idx):
        x, y = batch
        logits = self(x)
        loss = self.loss(logits, y)
        self.log("train_loss", loss, on_epoch=True)
        return loss

    def validation_step(self, batch, batch_idx):
        x, y = batch
        logits = self(x)
        self.log("val_loss", self.loss(logits, y), prog_bar=True)
        right = ((logits > 0).float() == y).float().mean()
        self.log("val_accuracy", right, prog_bar=True)

    def configure_optimizers(self):
        optimizer = torch.optim.Adam(self.parameters(), lr=self.hparams.lr)
        scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=2)
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": scheduler, "monitor": "val_loss"}}


def main():
    L.seed_everything(3)
    trainer = L.Trainer(max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False)
    trainer.fit(Tagger(), datamodule=CountsModule())


if __name__ == "__main__":
    main()
