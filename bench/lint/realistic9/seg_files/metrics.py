import torch
import torch.nn.functional as F

from tiles import VOID


def dice_loss(logits, target, eps=1.0):
    valid = (target != VOID).unsqueeze(1)
    probs = logits.softmax(dim=1) * valid
    onehot = F.one_hot(target.clamp(max=logits.size(1) - 1), logits.size(1)).permute(0, 3, 1, 2) * valid
    inter = (probs * onehot).sum(dim=(0, 2, 3))
    total = probs.sum(dim=(0, 2, 3)) + onehot.sum(dim=(0, 2, 3))
    return 1 - ((2 * inter + eps) / (total + eps)).mean()


class Confusion:
    def __init__(self, classes):
        self.k = classes
        self.m = torch.zeros(classes, classes, dtype=torch.long)

    def add(self, pred, target):
        keep = target != VOID
        cells = target[keep] * self.k + pred[keep]
        self.m += torch.bincount(cells, minlength=self.k ** 2).view(self.k, self.k)

    def iou(self):
        hit = self.m.diag().float()
        return (hit / (self.m.sum(0) + self.m.sum(1) - hit).clamp(min=1)).mean().item()
