import torch

torch.backends.cudnn.deterministic = False
