import lightning as L
from torch.utils.data import DataLoader, random_split


class Once(L.LightningDataModule):
    def setup(self, stage):
        if self.train is None:
            self.train, self.val, self.test = random_split(self.rows, [0.7, 0.15, 0.15])

    def train_dataloader(self):
        return DataLoader(self.train, batch_size=32, shuffle=True)

    def test_dataloader(self):
        return DataLoader(self.test, batch_size=32)
