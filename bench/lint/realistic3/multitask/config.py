from dataclasses import dataclass, field


@dataclass
class OptimConfig:
    lr: float = 1e-3
    weight_decay: float = 0.0
    gamma: float = 0.9


@dataclass
class Config:
    epochs: int = 1
    batch_size: int = 32
    n_features: int = 12
    n_classes: int = 3
    hidden: int = 32
    optim: OptimConfig = field(default_factory=OptimConfig)
    checkpoint: str = "multitask.pt"
