import torch
from torch import nn
from torch.nn import functional as F

state = torch.load('m.pth', weights_only=True)
