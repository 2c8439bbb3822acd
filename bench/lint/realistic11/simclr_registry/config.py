from dataclasses import dataclass, field


@dataclass
class OptimConfig:
    name: str = "adamw"
    lr: float = 3e-3
    weight_decay: float = 1e-4


@dataclass
class Config:
    encoder: str = "conv"
    loss: str = "ntxent"
    width: int = 16
    embed_dim: int = 32
    temperature: float = 0.2
    n_images: int = 800
    batch_size: int = 64
    epochs: int = 4
    probe_epochs: int = 6
    seed: int = 11
    device: str = "cpu"
    optim: OptimConfig = field(default_factory=OptimConfig)
    probe_optim: OptimConfig = field(default_factory=lambda: OptimConfig(name="sgd", lr=0.1, weight_decay=0.0))
