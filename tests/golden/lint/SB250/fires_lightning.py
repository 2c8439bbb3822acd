import lightning as L
import torch
from torch import nn


class Model(L.LightningModule):
    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters())
        scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 1e-3, total_steps=self.trainer.estimated_stepping_batches)
        return [optimizer], [scheduler]  # expect: SB250
