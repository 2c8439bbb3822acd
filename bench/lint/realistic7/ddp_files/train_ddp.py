"""torchrun --nproc_per_node=N train_ddp.py (or plain python for one process)"""
import argparse
import contextlib
import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

from common import Net, Spirals, is_main, setup


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=1)
    ap.add_argument("--batch_size", type=int, default=32)
    ap.add_argument("--grad_accum", type=int, default=2)
    ap.add_argument("--lr", type=float, default=5e-3)
    ap.add_argument("--init_from", default="")
    ap.add_argument("--ckpt", default="ddp.pt")
    ap.add_argument("--seed", type=int, default=1234)
    return ap.parse_args()


@torch.no_grad()
def validate(model, loader):
    model.eval()
    stats = torch.zeros(3)  # loss, hits, count
    for x, y in loader:
        out = model(x)
        stats[0] += F.cross_entropy(out, y, reduction="sum")
        stats[1] += (out.argmax(dim=1) == y).sum()
        stats[2] += y.numel()
    dist.all_reduce(stats, op=dist.ReduceOp.SUM)
    return (stats[0] / stats[2]).item(), (stats[1] / stats[2]).item()


def train_one_epoch(model, loader, optimizer, accum):
    model.train()
    optimizer.zero_grad()
    n_batches = len(loader)
    for i, (x, y) in enumerate(loader):
        last = (i + 1) % accum == 0 or i + 1 == n_batches
        with contextlib.nullcontext() if last else model.no_sync():
            loss = F.cross_entropy(model(x), y)
            (loss / accum).backward()
        if last:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()


def main():
    args = parse()
    rank, world_size = setup()
    torch.manual_seed(args.seed + rank)

    train_set = Spirals(1200, seed=0, jitter=0.02)
    val_set = Spirals(300, seed=1)
    sampler = DistributedSampler(train_set, num_replicas=world_size, rank=rank, shuffle=True, seed=args.seed)
    train_loader = DataLoader(train_set, batch_size=args.batch_size, sampler=sampler)
    val_sampler = DistributedSampler(val_set, num_replicas=world_size, rank=rank, shuffle=False)
    val_loader = DataLoader(val_set, batch_size=128, sampler=val_sampler)

    net = Net()
    if args.init_from and os.path.exists(args.init_from):
        net.load_state_dict(torch.load(args.init_from, weights_only=True))
    model = DDP(net)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)

    best = 0.0
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        train_one_epoch(model, train_loader, optimizer, args.grad_accum)
        val_loss, val_acc = validate(model, val_loader)
        if is_main():
            print(f"epoch {epoch}: val loss {val_loss:.4f}, acc {val_acc:.4f}")
            if val_acc > best:
                best = val_acc
                torch.save(model.module.state_dict(), args.ckpt)
        dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
