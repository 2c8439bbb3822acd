import torch

x = torch.zeros(2, 3, 4, 5)
b, c, h, w = x.shape
y = x.view(b, h * w, c)  # expect: SB111
z = x.reshape(b * h, c, w)  # expect: SB111
