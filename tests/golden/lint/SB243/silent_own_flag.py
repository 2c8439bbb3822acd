import torch
from torch import nn


class Embedding(nn.Module):
    def __init__(self, requires_grad):
        super().__init__()
        self.requires_grad = False
