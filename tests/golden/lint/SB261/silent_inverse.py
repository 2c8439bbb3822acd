import numpy as np
import torch
from torch import nn


def loss(labels, pos, neg):
    counts = np.bincount(labels)
    freq = counts / counts.sum()
    weights = 1.0 / freq
    other = counts.sum() / (len(counts) * counts)
    return [
        nn.CrossEntropyLoss(weight=torch.tensor(weights)),
        nn.CrossEntropyLoss(weight=torch.tensor(other)),
        nn.BCEWithLogitsLoss(pos_weight=torch.tensor(neg / pos)),
        nn.BCEWithLogitsLoss(pos_weight=(len(labels) - pos) / pos),
    ]
