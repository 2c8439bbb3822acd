import torch
from torch.utils import data

split = data.random_split
