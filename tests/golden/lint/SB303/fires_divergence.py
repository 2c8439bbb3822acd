import torch
import torch.nn.functional as F
from torch import nn

criterion = nn.KLDivLoss(reduction="batchmean")


def train(student, teacher, loader, optimizer, T):
    for x, _ in loader:
        with torch.no_grad():
            q = F.log_softmax(teacher(x) / T, dim=-1)
        p = F.log_softmax(student(x) / T, dim=-1)
        loss = F.kl_div(p, q, reduction="batchmean") * T * T  # expect: SB303
        loss = loss + criterion(p, q)  # expect: SB303
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
