import torch.nn.functional as F
from torch import nn

criterion = nn.KLDivLoss(reduction="batchmean", log_target=True)


def loss(student, teacher, x):
    p = F.log_softmax(student(x), dim=-1)
    q = F.log_softmax(teacher(x), dim=-1)
    return criterion(p, q)
