import torch
from torch.utils.data import RandomSampler

sampler = RandomSampler([1, 2])
