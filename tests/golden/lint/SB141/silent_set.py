import torch
from torch import nn
from torch.nn import functional as F

torch.backends.cudnn.benchmark = True
net = nn.Conv2d(3, 8, 3).cuda()
