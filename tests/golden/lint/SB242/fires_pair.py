import torch
from torch import nn


def fit(net, optimizer, train, score):
    best, best_weights = -1.0, None
    for epoch in range(10):
        train(net, optimizer)
        accuracy = score(net)
        if accuracy > best:
            best, best_weights = accuracy, net.state_dict()  # expect: SB242
    net.load_state_dict(best_weights)
