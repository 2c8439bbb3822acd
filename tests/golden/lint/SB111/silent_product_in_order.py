import torch

x = torch.zeros(2, 3, 4, 5)
b, c, h, w = x.shape
u = x.view(b, c, w * h)
v = x.view(b * c, h, w)
q = x.view(b, c * 4, h)
r = x.view(b * c, h, -1)
