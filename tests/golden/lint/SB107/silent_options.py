import torch
from torch import nn
from torch.nn import functional as F

criterion = nn.MSELoss(reduction='sum')
act = nn.Softmax(1)
