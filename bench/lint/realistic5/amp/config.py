from dataclasses import dataclass


@dataclass
class Config:
    epochs: int = 1
    batch_size: int = 16
    accum_steps: int = 4
    lr: float = 0.05
    ema_decay: float = 0.99
    max_norm: float = 1.0
    amp: bool = True
