import torch

x = torch.zeros(2, 1, 3, 4)
y = x.view(x.size(0), x.size(2), -1)
z = x.view(x.size(0), x.size(1), -1)
