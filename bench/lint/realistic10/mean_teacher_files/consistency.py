import torch
import torch.nn.functional as F

from points import jitter


def ramp(step, length):
    return min(1.0, step / length)


def supervised(pair, x, y):
    return F.cross_entropy(pair.student(jitter(x, 0.05)), y)


def agreement(pair, x, temperature=2.0, sure=0.6):
    """KL from the teacher's view of weakly moved points to the student's of strongly moved ones, where the teacher is sure."""
    with torch.no_grad():
        taught = pair.teacher(jitter(x, 0.02))
    said = pair.student(jitter(x, 0.1))
    keep = taught.softmax(dim=1).amax(dim=1) >= sure
    if not keep.any():
        return said.sum() * 0.0
    log_p = F.log_softmax(said[keep] / temperature, dim=1)
    q = F.softmax(taught[keep] / temperature, dim=1)
    return F.kl_div(log_p, q, reduction="batchmean") * temperature ** 2
