import torch
from torch import nn


def main(model, loader, epochs):
    best_acc1 = 0
    for epoch in range(epochs):
        acc1 = validate(model, loader)
        is_best = acc1 > best_acc1
        best_acc1 = max(acc1, best_acc1)
        if is_best:
            torch.save(model.state_dict(), "best.pt")
