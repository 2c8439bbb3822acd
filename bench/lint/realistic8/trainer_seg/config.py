from dataclasses import dataclass


@dataclass
class Config:
    epochs: int = 2
    batch_size: int = 8
    accum: int = 2
    lr: float = 2e-3
    clip: float = 1.0
    patience: int = 3
    width: int = 8
    dice_weight: float = 0.5
    seed: int = 3
