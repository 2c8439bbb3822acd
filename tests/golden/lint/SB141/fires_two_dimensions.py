import torch
from torch import nn
from torch.nn import functional as F

device = torch.device('cuda:0')
conv = nn.Conv1d(3, 8, 3)  # expect: SB141
conv.to(device)
