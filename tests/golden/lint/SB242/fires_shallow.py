import torch
from torch import nn


def fit(model, optimizer, train, evaluate):
    best, best_state = 0.0, None
    for epoch in range(10):
        train(model, optimizer)
        accuracy = evaluate(model)
        if accuracy > best:
            best = accuracy
            best_state = model.state_dict().copy()  # expect: SB242
    model.load_state_dict(best_state)
    return best
