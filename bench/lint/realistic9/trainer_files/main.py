import logging

import torch

from data import make_loaders
from model import EcgNet
from trainer import Config, Trainer


def run() -> None:
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.manual_seed(0)
    cfg = Config()
    loaders = make_loaders(cfg.batch_size)
    trainer = Trainer(EcgNet(leads=2, beats=4), loaders, cfg)
    trainer.fit()
    loss, accuracy = trainer.test()
    print(f"test loss {loss:.4f} accuracy {accuracy:.3f}")


if __name__ == "__main__":
    run()
