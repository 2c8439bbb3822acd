import torch
from torch.nn.parallel import DistributedDataParallel


def run(rank, net, validate, train):
    model = DistributedDataParallel(net.to(rank), device_ids=[rank])
    best = 0.0
    for epoch in range(10):
        train(model)
        acc = validate(model)
        if rank == 0:
            print(acc)
        if acc > best:
            best = acc
            torch.save({"model": model.module.state_dict()}, "best.pt")  # expect: SB265
