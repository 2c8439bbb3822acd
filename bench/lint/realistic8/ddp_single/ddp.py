"""torchrun --nproc_per_node=2 ddp.py; runs alone on one process too."""
import argparse
import copy
import os

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=2)
    ap.add_argument("--batch-size", type=int, default=32)
    ap.add_argument("--lr", type=float, default=0.05)
    ap.add_argument("--ema-decay", type=float, default=0.95)
    ap.add_argument("--seed", type=int, default=0)
    return ap.parse_args()


def setup():
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "0")
    rank, world = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    dist.init_process_group("gloo", rank=rank, world_size=world)
    return rank, world


class Rings(Dataset):
    def __init__(self, n, seed, noise):
        g = torch.Generator().manual_seed(seed)
        self.y = torch.arange(n) * 3 // n
        angle = torch.rand(n, generator=g) * 6.2832
        self.x = torch.stack([angle.cos(), angle.sin()], 1) * (self.y[:, None] + 1.0)
        self.noise = noise

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i] + self.noise * torch.randn(2), self.y[i]


class Net(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.hidden = nn.Sequential(nn.Linear(2, hidden), nn.BatchNorm1d(hidden), nn.ReLU(), nn.Dropout(0.1))
        self.fc = nn.Linear(hidden, 3)

    def forward(self, x):
        return F.log_softmax(self.fc(self.hidden(x)), dim=1)


def reduce_mean(value, world):
    value = value.clone()
    dist.all_reduce(value)
    return value / world


@torch.no_grad()
def update_ema(ema, model, decay):
    for e, m in zip(ema.state_dict().values(), model.state_dict().values()):
        if e.is_floating_point():
            e.mul_(decay).add_(m, alpha=1 - decay)
        else:
            e.copy_(m)


def train_epoch(ddp, ema, loader, optimizer, args, world):
    ddp.train()
    total = torch.zeros(())
    for x, y in loader:
        loss = F.nll_loss(ddp(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        update_ema(ema, ddp.module, args.ema_decay)
        total += loss.detach()
    return reduce_mean(total / len(loader), world).item()


@torch.no_grad()
def evaluate(net, loader):
    net.eval()
    counts = torch.zeros(2)
    for x, y in loader:
        counts += torch.tensor([(net(x).argmax(dim=1) == y).sum(), len(y)])
    dist.all_reduce(counts)
    return (counts[0] / counts[1]).item()


def main():
    args = parse()
    rank, world = setup()
    torch.manual_seed(args.seed)
    model = Net()
    torch.manual_seed(args.seed + rank)
    ddp = DistributedDataParallel(model)
    ema = copy.deepcopy(model).eval()
    optimizer = torch.optim.SGD(ddp.parameters(), lr=args.lr * world, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.epochs)
    sampler = DistributedSampler(train_set := Rings(900, seed=1, noise=0.2), shuffle=True)
    loader = DataLoader(train_set, batch_size=args.batch_size, sampler=sampler, drop_last=True)
    val = Rings(300, seed=2, noise=0.0)
    val_loader = DataLoader(val, 100, sampler=DistributedSampler(val, shuffle=False))
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        loss = train_epoch(ddp, ema, loader, optimizer, args, world)
        scheduler.step()
        acc, ema_acc = evaluate(ddp.module, val_loader), evaluate(ema, val_loader)
        if rank == 0:
            print(f"{epoch}: loss {loss:.4f} acc {acc:.3f} ema {ema_acc:.3f}")
            torch.save({"model": ddp.module.state_dict(), "ema": ema.state_dict()}, "last.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
