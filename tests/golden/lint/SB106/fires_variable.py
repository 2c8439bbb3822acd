import torch
from torch import nn
from torch.nn import functional as F

p = torch.log_softmax(torch.zeros(2, 3), dim=1)
q = torch.log(p)  # expect: SB106
