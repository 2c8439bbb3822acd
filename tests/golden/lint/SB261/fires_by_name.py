import numpy as np
import torch
from torch import nn


def pos_weight(tags):
    pos = torch.as_tensor(tags).sum(0)
    return pos / (len(tags) - pos)  # expect: SB261


def make_loss(labels):
    n_pos, n_neg = int(labels.sum()), int((1 - labels).sum())
    pos_weight = n_pos / n_neg  # expect: SB261
    return nn.BCEWithLogitsLoss(torch.tensor(pos_weight))


def make_class_loss(counts, n):
    weight = torch.tensor([counts[c] / n for c in range(4)])  # expect: SB261
    return nn.CrossEntropyLoss(weight=weight)
