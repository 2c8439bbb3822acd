import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from core import fit_epoch, score


def clusters(n, seed):
    g = torch.Generator().manual_seed(seed)
    labels = torch.randint(0, 4, (n,), generator=g)
    centers = torch.randn(4, 8, generator=torch.Generator().manual_seed(9))
    return TensorDataset(centers[labels] * 2 + torch.randn(n, 8, generator=g), labels)


def build():
    return nn.Sequential(nn.Linear(8, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 4))


def run(epochs=1):
    torch.manual_seed(0)
    train_batches = DataLoader(clusters(256, 0), batch_size=32, shuffle=True)
    val_batches = DataLoader(clusters(64, 1), batch_size=32)
    net = build()
    objective = nn.CrossEntropyLoss()
    opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=epochs)
    best, best_weights = -1.0, None
    for epoch in range(epochs):
        loss = fit_epoch(net, train_batches, objective, opt, grad_clip=1.0)
        accuracy = score(net, val_batches)
        schedule.step()
        if accuracy > best:
            best, best_weights = accuracy, copy.deepcopy(net.state_dict())
        print(f"{epoch} {loss:.3f} {accuracy:.3f}")
    net.load_state_dict(best_weights)
    return net


if __name__ == "__main__":
    run()
