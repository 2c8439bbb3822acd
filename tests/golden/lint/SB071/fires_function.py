import os

import torch


def seed(n):
    os.environ["PYTHONHASHSEED"] = str(n)  # expect: SB071
    torch.manual_seed(n)
