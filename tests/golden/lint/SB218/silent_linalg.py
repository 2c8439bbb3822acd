import torch

q, r = torch.linalg.qr(torch.eye(3))
