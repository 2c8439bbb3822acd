import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler


def loader(data, rank, batch):
    sampler = DistributedSampler(data, num_replicas=1, rank=0, shuffle=True)
    return DataLoader(data, batch, sampler=sampler)
