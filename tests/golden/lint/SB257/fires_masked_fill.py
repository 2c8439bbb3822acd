import torch

PAD = 0


def pool(scores, ids, states):
    mask = ids != PAD
    scores = scores.masked_fill(mask, float("-inf"))  # expect: SB257
    return (scores.softmax(1).unsqueeze(-1) * states).sum(1)
