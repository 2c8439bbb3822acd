import torch
import torch.nn.functional as F


def consistency(clean, noisy, temperature):
    with torch.no_grad():
        target = F.softmax(clean / temperature, dim=-1)
    return F.kl_div(F.log_softmax(noisy, dim=-1), target, reduction="batchmean")
