from pytorch_lightning.callbacks import ModelCheckpoint
import torch

best = ModelCheckpoint(monitor="val_acc", mode="min")  # expect: SB249
other = ModelCheckpoint(monitor="val_f1", save_top_k=1)  # expect: SB249
