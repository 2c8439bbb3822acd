import logging

import torch
from torch.utils.data import DataLoader, TensorDataset

from config import Config
from trainer import BestKeeper, Trainer
from unet import UNet


def blobs(n: int, seed: int) -> TensorDataset:
    g = torch.Generator().manual_seed(seed)
    yy, xx = torch.meshgrid(torch.arange(16), torch.arange(16), indexing="ij")
    centre = torch.rand(n, 2, 1, 1, generator=g) * 10 + 3
    mask = (((yy - centre[:, :1]) ** 2 + (xx - centre[:, 1:]) ** 2) < 12).float()
    return TensorDataset(mask + 0.5 * torch.randn(n, 1, 16, 16, generator=g), mask)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    cfg = Config()
    torch.manual_seed(cfg.seed)
    train = DataLoader(blobs(128, seed=0), cfg.batch_size, shuffle=True, drop_last=True)
    val = DataLoader(blobs(40, seed=1), cfg.batch_size)
    Trainer(UNet(cfg.width), cfg, callbacks=[BestKeeper(cfg.patience)]).fit(train, val)
