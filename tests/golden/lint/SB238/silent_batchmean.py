import torch.nn.functional as F
from torch import nn

criterion = nn.KLDivLoss(reduction="batchmean")


def distil(student, teacher, reduction):
    soft = F.kl_div(F.log_softmax(student, dim=1), F.softmax(teacher, dim=1), reduction="batchmean")
    per_class = F.kl_div(F.log_softmax(student, dim=1), F.softmax(teacher, dim=1), reduction="none").sum(1).mean()
    return soft + per_class + F.kl_div(F.log_softmax(student, dim=1), F.softmax(teacher, dim=1), reduction=reduction)
