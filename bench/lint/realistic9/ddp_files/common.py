import os
import random
from types import SimpleNamespace

import numpy as np
import torch
import torch.distributed as dist


def setup():
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("RANK", "0")
    os.environ.setdefault("WORLD_SIZE", "1")
    store = dist.HashStore() if os.environ["WORLD_SIZE"] == "1" else None
    dist.init_process_group("gloo", store=store, rank=int(os.environ["RANK"]), world_size=int(os.environ["WORLD_SIZE"]))
    return dist.get_rank(), dist.get_world_size()


def seed_everything(seed, rank):
    random.seed(seed + rank)
    np.random.seed(seed + rank)
    torch.manual_seed(seed + rank)


def reduce_sum(*numbers):
    t = torch.tensor(numbers, dtype=torch.float64)
    dist.all_reduce(t, op=dist.ReduceOp.SUM)
    return t.tolist()


def config(**kw):
    base = dict(epochs=1, batch=64, accum=2, base_lr=0.05, momentum=0.9, clip=5.0, seed=11, workers=0, ckpt="last.pth", resume="")
    return SimpleNamespace(**{**base, **kw})
