import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler


def loader(data, rank, batch):
    sampler = DistributedSampler(data, num_replicas=dist.get_world_size(), rank=0, shuffle=True)  # expect: SB236
    return DataLoader(data, batch, sampler=sampler)
