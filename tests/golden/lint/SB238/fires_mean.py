import torch.nn.functional as F
from torch import nn

criterion = nn.KLDivLoss()  # expect: SB238


def distil(student, teacher):
    soft = F.kl_div(F.log_softmax(student, dim=1), F.softmax(teacher, dim=1))  # expect: SB238
    return soft + F.kl_div(F.log_softmax(student, dim=1), F.softmax(teacher, dim=1), reduction="mean")  # expect: SB238
