import torch

e, v = torch.symeig(torch.eye(3))  # expect: SB218
