import pytorch_lightning as pl
from torch.utils.data import DataLoader, IterableDataset


class Lines(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        yield from open(self.path)


class Data(pl.LightningDataModule):
    def setup(self, stage=None):
        self.train_set = Lines("train.txt")

    def train_dataloader(self):
        return DataLoader(self.train_set, batch_size=32)
