import torch
import torch.nn as nn


class DiceBCELoss(nn.Module):
    def __init__(self, weight=0.5, smooth=1.0):
        super().__init__()
        self.weight, self.smooth = weight, smooth
        self.bce = nn.BCEWithLogitsLoss()

    def forward(self, logits, masks):
        probabilities = torch.sigmoid(logits)
        overlap = (probabilities * masks).sum(dim=(1, 2, 3))
        total = probabilities.sum(dim=(1, 2, 3)) + masks.sum(dim=(1, 2, 3))
        dice = 1 - ((2 * overlap + self.smooth) / (total + self.smooth)).mean()
        return self.weight * self.bce(logits, masks) + (1 - self.weight) * dice
