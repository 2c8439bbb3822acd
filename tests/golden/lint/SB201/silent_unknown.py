import torch
from torch import nn
from torch.nn import functional as F

def move(batch):
    batch.to('cuda')
    return batch
