import torch
from torch import nn
from torch.nn import functional as F

from torch.utils.data import DataLoader

loader = DataLoader([1], batch_size=1, shuffle=True)
