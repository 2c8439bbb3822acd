import pytorch_lightning as pl
from torch.utils.data import DataLoader, TensorDataset, random_split


class Rows(pl.LightningDataModule):
    def __init__(self, x, y):
        super().__init__()
        self.full = TensorDataset(x, y)

    def setup(self, stage=None):
        train, val, test = random_split(self.full, [0.8, 0.1, 0.1])  # expect: SB305
        self.train_set, self.val_set, self.test_set = train, val, test

    def train_dataloader(self):
        return DataLoader(self.train_set, batch_size=32, shuffle=True)

    def val_dataloader(self):
        return DataLoader(self.val_set, batch_size=32)

    def test_dataloader(self):
        return DataLoader(self.test_set, batch_size=32)
