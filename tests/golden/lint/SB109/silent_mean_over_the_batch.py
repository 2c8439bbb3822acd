import torch


def usage(model, x):
    share = model(x).softmax(dim=-1).mean(dim=0)
    return (share * share.clamp_min(1e-9).log()).sum()


def pooled(scores, values):
    weights = torch.softmax(scores, dim=0)
    return (weights * values).sum(dim=0)


def over_heads(scores):
    return torch.softmax(scores, dim=0).mean(dim=1)
