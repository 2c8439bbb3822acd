import torch

torch.backends.cudnn.deterministic = True  # expect: SB072
