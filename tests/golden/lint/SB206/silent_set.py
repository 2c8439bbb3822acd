import torch
from torch.utils.data import DistributedSampler

sampler = DistributedSampler([1, 2])
for epoch in range(2):
    sampler.set_epoch(epoch)
