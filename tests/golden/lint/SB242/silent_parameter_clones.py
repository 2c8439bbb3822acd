import torch
import torch.nn.functional as F
from torch import nn


def fit(model, loader, optimizer, epochs):
    best, best_params = 0.0, None
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
        score = evaluate(model)
        if score > best:
            best = score
            best_params = [p.data.clone() for p in model.parameters()]
    for p, b in zip(model.parameters(), best_params):
        p.data.copy_(b)
    return model
