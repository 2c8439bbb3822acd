import torch
from torch import nn
from torch.nn import functional as F

x = torch.tensor([1, 2, 3])
