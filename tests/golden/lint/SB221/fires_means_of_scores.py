import math

import torch


def macro_f1(logits, tags):
    return 1.0


class Meter:
    def __init__(self):
        self.sum = self.count = 0

    def update(self, val, n=1):
        self.sum += val * n
        self.count += n


def evaluate(model, loader):
    scores = []
    for x, tags in loader:
        scores.append(macro_f1(model(x), tags))  # expect: SB221
    return sum(scores) / len(scores)


def perplexity(model, loader):
    nll, ppl, n = 0.0, 0.0, 0
    for x, y in loader:
        loss = model(x, y)[1].item()
        nll, ppl, n = nll + loss, ppl + math.exp(loss), n + 1  # expect: SB221
    return nll / n, ppl / n


def accuracy(out, y):
    return (out.argmax(1) == y).float().mean().item()


def validate(model, loader):
    top1 = Meter()
    for x, y in loader:
        top1.update(accuracy(model(x), y))  # expect: SB221
    return top1.sum / top1.count
