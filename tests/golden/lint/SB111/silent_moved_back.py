import torch.nn.functional as F


def token_loss(logits, targets):
    return F.cross_entropy(logits.transpose(1, 2).reshape(-1, logits.size(1)), targets.reshape(-1))
