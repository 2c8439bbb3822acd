import torch
from torch import nn
from torch.nn import functional as F

from torch.utils.data import DataLoader

norm = nn.BatchNorm1d(8)
loader = DataLoader([1], 1, True)  # expect: SB220 low
