import lightning as L
import torch
from torch.utils.data import DataLoader, Subset, TensorDataset, random_split


class SignalData(L.LightningDataModule):
    """1-d signals of four wave forms, sorted by class as they lie on the disk"""

    def __init__(self, n=600, length=48, batch_size=32, split_seed=42):
        super().__init__()
        self.save_hyperparameters()

    def prepare_data(self):
        g = torch.Generator().manual_seed(0)
        y = torch.arange(self.hparams.n) * 4 // self.hparams.n
        t = torch.linspace(0, 6.28, self.hparams.length)
        phase = torch.rand(len(y), 1, generator=g) * 6.28
        x = torch.sin(t * (y[:, None] + 1) + phase) + 0.7 * torch.randn(len(y), len(t), generator=g)
        torch.save((x.unsqueeze(1), y), "signals.pt")

    def setup(self, stage=None):
        x, y = torch.load("signals.pt")
        full = TensorDataset(x * 3 + 1, y)
        g = torch.Generator().manual_seed(self.hparams.split_seed)
        train, val, test = random_split(full, [0.7, 0.15, 0.15], generator=g)
        xs = full.tensors[0][train.indices]
        self.mean, self.std = xs.mean(), xs.std()
        if stage == "fit":
            self.train_set, self.val_set = Subset(full, sorted(train.indices)), val
        else:
            self.test_set = test

    def train_dataloader(self):
        return DataLoader(self.train_set, self.hparams.batch_size, shuffle=True, drop_last=True)

    def val_dataloader(self):
        return DataLoader(self.val_set, self.hparams.batch_size)

    def test_dataloader(self):
        return DataLoader(self.test_set, self.hparams.batch_size)

    def on_after_batch_transfer(self, batch, dataloader_idx):
        x, y = batch
        return (x - self.mean) / self.std, y
