import torch

q, r = torch.qr(torch.eye(3))  # expect: SB218
