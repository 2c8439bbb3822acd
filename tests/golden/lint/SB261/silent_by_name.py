import torch
from torch import nn


def pos_weight(tags):
    pos = torch.as_tensor(tags).sum(0)
    return (len(tags) - pos) / pos


def make_loss(labels):
    n_pos, n_neg = int(labels.sum()), int((1 - labels).sum())
    pos_weight = n_neg / n_pos
    pos_weight_of_negatives = 1 / (n_pos / n_neg)
    return nn.BCEWithLogitsLoss(torch.tensor(pos_weight)), pos_weight_of_negatives


def make_class_loss(counts, n):
    weight = torch.tensor([n / (4 * counts[c]) for c in range(4)])
    return nn.CrossEntropyLoss(weight=weight)


def make_other_loss(counts, n):
    share = torch.tensor([counts[c] / n for c in range(4)])
    return nn.CrossEntropyLoss(weight=1 / share)
