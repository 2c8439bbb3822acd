import torch


def seed():
    torch.manual_seed(0)
    torch.backends.cudnn.deterministic = True  # expect: SB072
