import torch
from torch.autograd import Variable

x = Variable(data=torch.ones(3))  # expect: SB091
