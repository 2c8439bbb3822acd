import torch
import torch.nn.functional as F
from torch import nn


def fit(model, loader, optimizer, epochs):
    best = (0.0, None)
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
        score = evaluate(model)
        if score > best[0]:
            best = (score, model.state_dict())  # expect: SB242
    model.load_state_dict(best[1])
    return model
