import torch
from torch.nn.parallel import DistributedDataParallel


def run(rank, net, train, path):
    model = DistributedDataParallel(net.to(rank), device_ids=[rank])
    for epoch in range(10):
        train(model)
        if epoch % 2 == 0 and rank == 0:
            torch.save(model.module.state_dict(), path)
        torch.save(model.state_dict(), f"{path}.{rank}")
    if rank != 0:
        return
    torch.save(model.state_dict(), path)
