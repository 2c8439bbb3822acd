import torch
from torch import nn
from torch.nn import functional as F

scores = torch.zeros(5)
p = torch.softmax(scores, dim=0)
