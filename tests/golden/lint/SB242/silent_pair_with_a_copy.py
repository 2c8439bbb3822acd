import copy
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
            best = (score, copy.deepcopy(model.state_dict()))
    model.load_state_dict(best[1])
    return model
