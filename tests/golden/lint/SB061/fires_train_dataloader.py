import lightning
from torch.utils.data import DataLoader


class Data(lightning.LightningDataModule):
    def train_dataloader(self):
        return DataLoader(self.train_set, batch_size=4)  # expect: SB061 low

    def val_dataloader(self):
        return DataLoader(self.val_set, batch_size=4)
