import torch.nn.functional as F
from torch import nn

bce = nn.BCEWithLogitsLoss()


def dice_loss(logits, mask, eps=1.0):
    p = logits
    overlap = (p * mask).flatten(1).sum(1)
    return (1 - (2 * overlap + eps) / (p.flatten(1).sum(1) + mask.flatten(1).sum(1) + eps)).mean()


class Trainer:
    def criterion(self, logits, mask):
        return F.binary_cross_entropy_with_logits(logits, mask) + 0.5 * dice_loss(logits, mask)  # expect: SB307

    def other(self, logits, mask):
        return bce(logits, mask) + dice_loss(logits, mask)  # expect: SB307
