import torch


def correct(model, x, labels):
    _, predicted = torch.max(model(x), 1)
    top, _ = torch.max(model(x), 1)
    confident = top > 0.9
    return (predicted == labels).sum().item(), (model(x).max(1)[1] == labels).sum(), confident


def with_scores(model, x, labels):
    conf, pred = torch.max(model(x), 1)
    return (pred == labels).float(), conf


def ties(scores):
    best, _ = scores.max(1, keepdim=True)
    return scores == best


def assign(overlaps, labels):
    best, _ = overlaps.max(dim=0)
    for i in range(len(best)):
        labels[overlaps[:, i] == best[i]] = 1
    return labels
