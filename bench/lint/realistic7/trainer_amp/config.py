from dataclasses import dataclass


@dataclass(frozen=True)
class TrainConfig:
    n_classes: int = 5
    n_features: int = 20
    width: int = 96
    epochs: int = 1
    batch_size: int = 32
    accumulate: int = 4
    lr: float = 2e-3
    warmup_steps: int = 5
    max_norm: float = 1.0
    ema_decay: float = 0.99
    amp: bool = True
    seed: int = 3
    out: str = "last.ckpt"
