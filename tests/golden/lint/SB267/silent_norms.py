import torch
from torch import nn


def init(m):
    if isinstance(m, nn.Linear):
        nn.init.xavier_uniform_(m.weight)
        nn.init.constant_(m.bias, 0.1)
    elif isinstance(m, nn.BatchNorm2d):
        nn.init.constant_(m.weight, 1)
        nn.init.constant_(m.bias, 0)
    elif isinstance(m, nn.Conv2d):
        nn.init.constant_(m.weight, 0)


def twice(m):
    if isinstance(m, nn.Linear):
        nn.init.constant_(m.weight.data, 1.0)
        nn.init.kaiming_normal_(m.weight.data)
