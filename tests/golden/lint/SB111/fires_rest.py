import torch

x = torch.zeros(2, 3, 4)
y = x.view(x.size(1), x.size(0), -1)  # expect: SB111
