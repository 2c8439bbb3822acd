import torch.nn.functional as F

PAD = 0


def loss_of(scores, tags):
    each = F.cross_entropy(scores.transpose(1, 2), tags, reduction="none")
    real = tags != PAD
    return each[real].mean()


def masked(scores, tags, mask):
    return F.cross_entropy(scores.transpose(1, 2)[..., mask], tags[mask])
