import torch

print(torch.backends.cudnn.deterministic)
