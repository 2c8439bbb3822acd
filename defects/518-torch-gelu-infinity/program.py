import torch

print(torch.nn.functional.gelu(torch.full((4,), float("inf"))))
