import lightning as L
from torch.utils.data import DataLoader, random_split


class Two(L.LightningDataModule):
    def setup(self, stage):
        self.train, self.val = random_split(self.rows, [0.8, 0.2])
        self.test = self.other_rows

    def train_dataloader(self):
        return DataLoader(self.train, batch_size=32, shuffle=True)

    def test_dataloader(self):
        return DataLoader(self.test, batch_size=32)
