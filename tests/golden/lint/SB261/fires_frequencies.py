import numpy as np
import torch
from torch import nn


def loss(labels):
    counts = np.bincount(labels)
    weights = counts / counts.sum()  # expect: SB261
    return nn.CrossEntropyLoss(weight=torch.tensor(weights, dtype=torch.float))
