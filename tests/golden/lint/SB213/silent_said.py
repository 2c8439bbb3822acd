import torch
from torch.utils.checkpoint import checkpoint

y = checkpoint(torch.sin, torch.zeros(3), use_reentrant=False)
