import torch
from torch import nn
from torch.nn import functional as F

x = torch.zeros(3)
y = torch.tensor(x)  # expect: SB217
