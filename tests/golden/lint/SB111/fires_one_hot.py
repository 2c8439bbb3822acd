import torch.nn.functional as F


def dice(logits, target):
    probs = logits.softmax(dim=1)
    truth = F.one_hot(target, num_classes=logits.shape[1])
    truth = truth.view_as(logits).float()  # expect: SB111
    both = (probs * truth).sum(dim=(2, 3))
    return 1 - (2 * both / (probs.sum(dim=(2, 3)) + truth.sum(dim=(2, 3)))).mean()
