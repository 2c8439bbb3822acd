import lightning as L
from torch.utils.data import DataLoader, random_split


class Data(L.LightningDataModule):
    def __init__(self, items):
        super().__init__()
        self.items = items

    def setup(self, stage=None):
        self.train_set, self.val_set = random_split(self.items, [0.8, 0.2])

    def train_dataloader(self):
        return DataLoader(self.train_set, batch_size=32, shuffle=True)

    def val_dataloader(self):
        return DataLoader(self.val_set, batch_size=32)
