import torch
import torch.nn.functional as F
from torch import nn

PAD = 0


def first(logits, y):
    mask = (y != PAD).view(-1)
    loss = F.cross_entropy(logits.view(-1, 9)[mask], y.view(-1)[mask])
    return loss


def second(model, x, label):
    criterion = nn.CrossEntropyLoss()
    return criterion(model(x), label)
