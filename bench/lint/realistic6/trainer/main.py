"""Fits a regressor to a made-up table, then adapts it to fewer targets."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

from model import Regressor
from trainer import Trainer


def table(n=400, n_in=6, n_out=4):
    x = torch.randn(n, n_in)
    w = torch.randn(n_in, n_out)
    return TensorDataset(x, torch.tanh(x @ w) + 0.05 * torch.randn(n, n_out))


def main(epochs=1):
    torch.manual_seed(1)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    train_set, val_set = random_split(table(), [320, 80])
    train_loader = DataLoader(train_set, batch_size=32, shuffle=True, drop_last=True)
    val_loader = DataLoader(val_set, batch_size=64)
    model = Regressor(6, 8)
    model.head = nn.Linear(32, 4)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    trainer = Trainer(model, optimizer, nn.MSELoss(), device)
    best = trainer.fit(train_loader, val_loader, epochs)
    torch.save(best.state_dict(), "regressor.pt")


if __name__ == "__main__":
    main()
