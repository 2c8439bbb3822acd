import torch

x = torch.autograd.Variable(torch.zeros(3), requires_grad=True)  # expect: SB091
