import torch
from torch import nn
from torch.nn import functional as F

class Holder:
    def __init__(self):
        self.layers = [nn.Linear(4, 4), nn.Linear(4, 2)]
