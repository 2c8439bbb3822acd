import torch
import torch.nn.functional as F

PAD = 0


def first(logits, y):
    return F.cross_entropy(logits.view(-1, 9), y.view(-1), ignore_index=PAD)
