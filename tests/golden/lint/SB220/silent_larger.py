import torch
from torch import nn
from torch.nn import functional as F

from torch.utils.data import DataLoader

norm = nn.BatchNorm2d(8)
loader = DataLoader([1], batch_size=8, shuffle=True)
