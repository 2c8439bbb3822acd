import torch
from torch import nn
from torch.nn import functional as F

state = torch.load('m.pth', map_location='cpu')  # expect: SB212
