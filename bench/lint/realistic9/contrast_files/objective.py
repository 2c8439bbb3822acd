import torch
import torch.nn.functional as F


def info_nce(q, k, queue, temperature):
    """The positive is column 0, the queue gives the negatives."""
    positive = (q * k).sum(dim=1, keepdim=True)
    negative = q @ queue.clone().detach().t()
    logits = torch.cat([positive, negative], dim=1) / temperature
    target = torch.zeros(len(q), dtype=torch.long)
    return F.cross_entropy(logits, target)


def spread(q, eps=1e-4):
    """Keeps the deviation of each feature over the batch near 1 / sqrt(dim)."""
    wanted = q.size(1) ** -0.5
    return F.relu(wanted - (q.var(dim=0) + eps).sqrt()).mean()
