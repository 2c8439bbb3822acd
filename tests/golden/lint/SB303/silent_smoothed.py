import torch
import torch.nn.functional as F


def chained(logits, target):
    logp = F.log_softmax(logits, dim=1)
    smooth = logp.clone().fill_(0.01)
    smooth.scatter_(1, target.unsqueeze(1), 0.9)
    return F.kl_div(logp, smooth, reduction="sum")


def by_lines(logits, target):
    logp = F.log_softmax(logits, dim=1)
    smooth = logp.clone()
    smooth.fill_(0.01)
    smooth.scatter_(1, target.unsqueeze(1), 0.9)
    return F.kl_div(logp, smooth, reduction="sum")
