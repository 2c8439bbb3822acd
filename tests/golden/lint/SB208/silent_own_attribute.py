import torch
from torch import nn
from torch.nn import functional as F

class Config:
    def __init__(self):
        self.require_input_grad = False
