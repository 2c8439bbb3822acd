import argparse
import os

import torch
from torch.utils.data import DataLoader, TensorDataset, random_split

from config import TrainConfig
from nets import ResMLP
from trainer import Trainer


def make_blobs(cfg, n=1100):
    g = torch.Generator().manual_seed(cfg.seed)
    centres = torch.randn(cfg.n_classes, cfg.n_features, generator=g)
    y = torch.randint(0, cfg.n_classes, (n,), generator=g)
    x = centres[y] + 0.8 * torch.randn(n, cfg.n_features, generator=g)
    return random_split(TensorDataset(x, y), [900, n - 900], generator=g)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--epochs", type=int, default=1)
    opts = parser.parse_args()

    cfg = TrainConfig(epochs=opts.epochs)
    torch.manual_seed(cfg.seed)
    train, val = make_blobs(cfg)
    trainer = Trainer(
        ResMLP(cfg.n_features, cfg.width, cfg.n_classes),
        cfg,
        DataLoader(train, batch_size=cfg.batch_size, shuffle=True, drop_last=True),
        DataLoader(val, batch_size=256),
    )
    if opts.resume and os.path.exists(cfg.out):
        trainer.resume()
    trainer.run()


if __name__ == "__main__":
    main()
