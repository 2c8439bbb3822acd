import pytorch_lightning as pl


class Base(pl.LightningModule):
    def training_step(self, batch, batch_idx):
        raise NotImplementedError


class Other:
    def training_step(self, batch):
        self.log("x", 1)
