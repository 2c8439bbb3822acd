import os
import tempfile

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

from losses import task_losses, weigh
from network import ThreeHeads
from scenes import N_SEG, N_TAGS, VOID, Scenes


@torch.no_grad()
def validate(net, loader):
    net.eval()
    inter, union = torch.zeros(N_SEG), torch.zeros(N_SEG)
    hits = pictures = 0
    for batch in loader:
        out = net(batch["image"])
        pred = out["seg"].argmax(dim=1)
        ok = batch["seg"] != VOID
        for c in range(N_SEG):
            a, b = (pred == c) & ok, (batch["seg"] == c) & ok
            inter[c] += (a & b).sum()
            union[c] += (a | b).sum()
        hits += ((out["tags"] > 0) == batch["tags"].bool()).all(dim=1).sum().item()
        pictures += len(batch["tags"])
    net.train()
    return (inter / union.clamp(min=1)).mean().item(), hits / pictures


def main(epochs=2):
    dist.init_process_group("gloo", init_method=f"file://{tempfile.mktemp()}", rank=int(os.environ.get("RANK", 0)), world_size=int(os.environ.get("WORLD_SIZE", 1)))
    torch.manual_seed(dist.get_rank())
    train_set, val_set = Scenes(400, seed=0, flip=True), Scenes(90, seed=1, flip=False)
    sampler = DistributedSampler(train_set, shuffle=True)
    train = DataLoader(train_set, batch_size=20, sampler=sampler, drop_last=True)
    val = DataLoader(val_set, batch_size=40)
    positive = train_set.tags.mean(dim=0)
    pos_weight = (1 - positive) / positive

    net = DDP(ThreeHeads(N_SEG, N_TAGS), find_unused_parameters=True)
    opt = torch.optim.AdamW(net.parameters(), lr=5e-3)
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        seen = {"seg": 0.0, "depth": 0.0, "tags": 0.0}
        for batch in train:
            out = net(batch["image"])
            losses = task_losses(out, batch, pos_weight)
            opt.zero_grad()
            weigh(losses, out["log_vars"]).backward()
            opt.step()
            for name, value in losses.items():
                seen[name] += value.item()
        iou, tags = validate(net, val)
        if dist.get_rank() == 0:
            print(epoch, {k: round(v / len(train), 3) for k, v in seen.items()}, f"mIoU {iou:.3f} tags {tags:.3f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
