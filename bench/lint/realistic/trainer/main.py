from dataclasses import dataclass

import torch

from data import make_loaders
from model import Classifier
from trainer import Trainer


@dataclass
class Config:
    n_features: int = 12
    n_classes: int = 5
    batch_size: int = 32
    epochs: int = 1
    lr: float = 1e-3
    smoothing: float = 0.05


def main():
    torch.manual_seed(0)
    config = Config()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    train_loader, val_loader = make_loaders(config)
    model = Classifier(config.n_features, config.n_classes)
    trainer = Trainer(model, train_loader, val_loader, config, device)
    print("best", trainer.fit())


if __name__ == "__main__":
    main()
