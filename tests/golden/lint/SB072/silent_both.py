import torch

torch.backends.cudnn.deterministic = True
torch.use_deterministic_algorithms(True)
