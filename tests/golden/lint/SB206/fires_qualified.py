import torch

sampler = torch.utils.data.distributed.DistributedSampler([1, 2])  # expect: SB206 low
