import lightning as L
import torch
from torch.utils.data import DataLoader, random_split


class Fixed(L.LightningDataModule):
    def setup(self, stage):
        g = torch.Generator().manual_seed(1)
        self.train, self.val, self.test = random_split(self.rows, [0.7, 0.15, 0.15], generator=g)

    def train_dataloader(self):
        return DataLoader(self.train, batch_size=32, shuffle=True)

    def test_dataloader(self):
        return DataLoader(self.test, batch_size=32)
