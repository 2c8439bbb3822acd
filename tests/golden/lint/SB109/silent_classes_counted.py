import torch.nn.functional as F


def dice(logits, target):
    probs = logits.softmax(dim=1)
    truth = F.one_hot(target, logits.size(1)).permute(0, 3, 1, 2)
    return 1 - (probs * truth).sum(dim=(0, 2, 3)).mean()


def single(logits, target):
    return logits.softmax(dim=0)[target], F.one_hot(target, logits.size(0))
