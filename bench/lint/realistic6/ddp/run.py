"""One process of a distributed training."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

from setup import make_loaders, start


class WaveNet(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv1d(1, width, 7, stride=2, padding=3),
            nn.BatchNorm1d(width),
            nn.ReLU(),
            nn.Conv1d(width, 2 * width, 5, stride=2, padding=2),
            nn.ReLU(),
            nn.AdaptiveAvgPool1d(1),
        )
        self.classifier = nn.Linear(2 * width, 3)

    def forward(self, x):
        return self.classifier(self.features(x).flatten(1))


def validate(model, loader):
    model.eval()
    counts = torch.zeros(2)
    with torch.no_grad():
        for x, y in loader:
            counts[0] += (model(x).argmax(1) == y).sum()
            counts[1] += len(y)
    dist.all_reduce(counts)
    return (counts[0] / counts[1]).item()


def work(epochs=1):
    rank, world = start()
    torch.manual_seed(0)
    model = DDP(WaveNet())
    train_loader, val_loader, sampler = make_loaders(32)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05 * world, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=max(1, epochs))
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        model.train()
        for x, y in train_loader:
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        scheduler.step()
        score = validate(model, val_loader)
        if rank == 0:
            print(f"epoch {epoch}: loss {loss.item():.3f} accuracy {score:.3f}")
            torch.save({"epoch": epoch, "model": model.module.state_dict(), "optimizer": optimizer.state_dict()}, "waves.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    work()
