import torch
import torch.nn.functional as F


def loss_of(model, words, tags):
    scores = model(words)
    return F.cross_entropy(scores.reshape(-1, scores.size(2)), tags.reshape(-1))


def map_loss(scores, target):
    return F.cross_entropy(scores.view(scores.size(0), scores.size(1), -1), target.view(target.size(0), -1))
