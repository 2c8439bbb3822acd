import torch
from torch.autograd import Variable as V

x = V(torch.zeros(3))  # expect: SB091
