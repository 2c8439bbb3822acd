import torch
from torch import nn
from torch.nn import functional as F

def run(x, **options):
    return F.softmax(x, **options)
