import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler


def loader(data, rank, batch):
    sampler = DistributedSampler(data, num_replicas=dist.get_world_size(), rank=rank, shuffle=True)
    return DataLoader(data, batch, sampler=sampler)
