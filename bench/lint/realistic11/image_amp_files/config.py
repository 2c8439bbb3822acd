"""Settings of the shape classifier."""
from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Config:
    n_train: int = 700
    n_val: int = 230
    size: int = 20
    classes: int = 4
    width: int = 12
    batch_size: int = 32
    epochs: int = 6
    lr: float = 3e-3
    weight_decay: float = 1e-3
    warmup: int = 20
    clip: float = 1.0
    seed: int = 7

    @property
    def device(self) -> torch.device:
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")

    @property
    def amp(self) -> bool:
        return self.device.type == "cuda"
