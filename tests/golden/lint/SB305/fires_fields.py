import lightning.pytorch as pl
from torch.utils import data


class Rows(pl.LightningDataModule):
    def setup(self, stage):
        full = self.read()
        self.train_set, self.val_set, self.test_set = data.random_split(full, (800, 100, 100))  # expect: SB305

    def train_dataloader(self):
        return data.DataLoader(self.train_set, batch_size=32, shuffle=True)

    def test_dataloader(self):
        return data.DataLoader(self.test_set, batch_size=32)
