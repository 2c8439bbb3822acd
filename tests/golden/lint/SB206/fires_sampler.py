import torch
from torch.utils.data import DistributedSampler

sampler = DistributedSampler([1, 2])  # expect: SB206 low
