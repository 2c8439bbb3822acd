"""torchrun --nproc_per_node=N train_ddp.py   (or plainly with one process)"""
import contextlib

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler

from common import config, reduce_sum, seed_everything, setup
from net import TinyMobile

CLASSES = 6


class Crops(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.y = torch.randint(0, CLASSES, (n,), generator=g)
        self.x = torch.rand(n, 3, 24, 24, generator=g)
        for i, label in enumerate(self.y):
            self.x[i, label % 3, : 4 + 3 * label] += 0.7

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        turns = (i * 7) % 4
        return torch.rot90(self.x[i], turns, dims=(1, 2)), self.y[i], turns


def loaders(cfg, rank, world):
    train, val = Crops(512, 0), Crops(128, 1)
    s_train = DistributedSampler(train, world, rank, shuffle=True, seed=cfg.seed)
    s_val = DistributedSampler(val, world, rank, shuffle=False)
    per_rank = cfg.batch // world
    return (DataLoader(train, per_rank, sampler=s_train, num_workers=cfg.workers, drop_last=True),
            DataLoader(val, per_rank, sampler=s_val, num_workers=cfg.workers))


def train_epoch(cfg, model, loader, optimizer, scheduler):
    model.train()
    optimizer.zero_grad()
    meter = 0.0
    for i, (x, y, turns) in enumerate(loader):
        last = (i + 1) % cfg.accum == 0 or i + 1 == len(loader)
        with contextlib.nullcontext() if last else model.no_sync():
            logits, rot = model(x)
            loss = F.cross_entropy(logits, y) + 0.2 * F.cross_entropy(rot, turns)
            (loss / cfg.accum).backward()
        if last:
            torch.nn.utils.clip_grad_norm_(model.parameters(), cfg.clip)
            optimizer.step()
            optimizer.zero_grad()
            scheduler.step()
        meter += loss.item()
    total, batches = reduce_sum(meter, len(loader))
    return total / batches


def validate(model, loader):
    model.eval()
    right = seen = 0
    with torch.no_grad():
        for x, y, _ in loader:
            logits, _ = model(x)
            right += int((logits.argmax(1) == y).sum())
            seen += y.numel()
    right, seen = reduce_sum(right, seen)
    return right / seen


def main():
    cfg = config()
    rank, world = setup()
    seed_everything(cfg.seed, rank)
    train_loader, val_loader = loaders(cfg, rank, world)
    net = torch.nn.SyncBatchNorm.convert_sync_batchnorm(TinyMobile(CLASSES)) if torch.cuda.is_available() else TinyMobile(CLASSES)
    model = DDP(net)
    peak = cfg.base_lr * cfg.batch * cfg.accum / 256
    optimizer = torch.optim.SGD(model.parameters(), lr=peak, momentum=cfg.momentum)
    updates = cfg.epochs * -(-len(train_loader) // cfg.accum)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=peak, total_steps=updates)
    start = 0
    if cfg.resume:
        state = torch.load(cfg.resume, map_location="cpu")
        model.module.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        scheduler.load_state_dict(state["scheduler"])
        start = state["epoch"] + 1
    for epoch in range(start, cfg.epochs):
        train_loader.sampler.set_epoch(epoch)
        loss = train_epoch(cfg, model, train_loader, optimizer, scheduler)
        accuracy = validate(model, val_loader)
        if rank == 0:
            print(f"[{epoch}] loss {loss:.4f} accuracy {accuracy:.4f}")
            torch.save({"model": model.module.state_dict(), "optimizer": optimizer.state_dict(),
                        "scheduler": scheduler.state_dict(), "epoch": epoch}, cfg.ckpt)
        dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
