import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

from net import Waves, WaveNet


def setup(rank, world_size):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29511")
    dist.init_process_group("gloo", rank=rank, world_size=world_size)


def run_epoch(model, loader, loss_fn, optimizer):
    model.train()
    last = 0.0
    for signals, labels in loader:
        optimizer.zero_grad()
        loss = loss_fn(model(signals), labels)
        loss.backward()
        optimizer.step()
        last = loss.item()
    return last


def accuracy_of(model, loader):
    model.eval()
    right = total = 0
    with torch.no_grad():
        for signals, labels in loader:
            right += (model(signals).argmax(-1) == labels).sum().item()
            total += labels.numel()
    return right / total


def worker(rank, world_size, epochs):
    setup(rank, world_size)
    torch.manual_seed(rank)
    train_set, test_set = Waves(256, train=True), Waves(64, train=False)
    sampler = DistributedSampler(train_set, num_replicas=world_size, rank=rank, shuffle=True)
    train_loader = DataLoader(train_set, batch_size=32, sampler=sampler)
    test_loader = DataLoader(test_set, batch_size=64)
    model = DDP(WaveNet())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
    loss_fn = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        loss = run_epoch(model, train_loader, loss_fn, optimizer)
        scheduler.step()
        if rank == 0:
            print(f"epoch {epoch} loss {loss:.3f} accuracy {accuracy_of(model, test_loader):.3f}")
            torch.save(model.module.state_dict(), os.path.join(os.environ.get("TMPDIR", "."), "waves.pt"))
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(1, 1), nprocs=1)
