import torch
from torch import nn
from torch.nn import functional as F


def restore(self, path):
    checkpoint = torch.load(path)
    self.epoch = checkpoint['epoch']
    self.resume(checkpoint)
