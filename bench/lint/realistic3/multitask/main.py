import torch
from torch.utils.data import DataLoader, TensorDataset

from config import Config
from heads import MultiTaskLoss, MultiTaskNet
from trainer import Trainer


def split(cfg: Config):
    x = torch.randn(320, cfg.n_features)
    price = x[:, 0] * 2 + 0.1 * torch.randn(320)
    kind = x[:, 1:1 + cfg.n_classes].argmax(dim=1)
    train = TensorDataset(x[:256], price[:256], kind[:256])
    val = TensorDataset(x[256:], price[256:], kind[256:])
    return train, val


if __name__ == "__main__":
    torch.manual_seed(0)
    cfg = Config()
    train_set, val_set = split(cfg)
    net = MultiTaskNet(cfg.n_features, cfg.hidden, cfg.n_classes)
    trainer = Trainer(
        cfg,
        net,
        MultiTaskLoss(),
        DataLoader(train_set, batch_size=cfg.batch_size, shuffle=True),
        DataLoader(val_set, batch_size=cfg.batch_size),
    )
    trainer.fit()
