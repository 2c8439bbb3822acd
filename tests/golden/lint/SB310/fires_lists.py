import torch


def by_class(labels, scores, n):
    rows = [[]] * n  # expect: SB310
    for label, score in zip(labels, scores):
        rows[label].append(score)
    return [torch.tensor(r).mean() for r in rows]


class Counter:
    def __init__(self, n):
        self.table = [[0] * n] * n  # expect: SB310

    def add(self, truth, guess):
        self.table[truth][guess] += 1
