import torch
from torch.nn import functional as F


def probabilities(scores):
    if torch.__version__ >= "1.0":
        print("new")
        return F.softmax(scores)  # expect: SB214
    return F.softmax(scores, dim=-1)


def of_device(scores):
    if scores.is_cuda:
        return F.softmax(scores)  # expect: SB214
    return F.softmax(scores, dim=-1)
