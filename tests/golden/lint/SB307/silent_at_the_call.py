import torch
import torch.nn.functional as F


def dice_loss(p, mask):
    return 1 - 2 * (p * mask).sum() / (p.sum() + mask.sum())


def loss(model, x, mask):
    logits = model(x)
    bce = F.binary_cross_entropy_with_logits(logits, mask)
    return bce + dice_loss(logits.sigmoid(), mask)


def loss_of_probabilities(model, x, mask):
    p = torch.sigmoid(model(x))
    return F.binary_cross_entropy(p, mask) + dice_loss(p, mask)
