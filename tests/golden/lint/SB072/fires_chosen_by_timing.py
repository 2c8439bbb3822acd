import torch

torch.manual_seed(0)
torch.backends.cudnn.benchmark = True  # expect: SB072 low
