import torch
from torch import nn
from torch.nn import functional as F

def run(layer, x):
    return layer.softmax(x)
