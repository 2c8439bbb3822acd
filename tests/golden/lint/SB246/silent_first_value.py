import torch


def sweep(losses):
    best_loss = -float("inf")
    for i, loss in enumerate(losses):
        if i == 0:
            best_loss = loss
        elif loss < best_loss:
            best_loss = loss
    return best_loss
