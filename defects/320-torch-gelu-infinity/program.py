import torch

print(torch.nn.functional.gelu(torch.full((8,), float('inf'))))
