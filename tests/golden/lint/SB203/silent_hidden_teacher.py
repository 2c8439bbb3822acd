import torch
from torch import nn
from torch.nn import functional as F

class Net13(nn.Module):
    def __init__(self):
        super().__init__()
        self.student = nn.Linear(4, 2)
        self.teacher = [nn.Linear(4, 2)]
