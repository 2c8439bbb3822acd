"""Against a constant there are no classes to judge: here it makes gradients for a score of uncertainty."""
import torch
import torch.nn.functional as F


def uncertainty(model, x):
    logits = model(x)
    confounding = torch.ones_like(logits)
    return F.binary_cross_entropy(logits.softmax(dim=1), confounding, reduction='sum')
