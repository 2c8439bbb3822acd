import copy
import math


def fit(net, optimizer, train, evaluate, epochs):
    best, kept = math.inf, None
    for epoch in range(epochs):
        train(net, optimizer)
        error = evaluate(net)
        if error < best:
            best, kept = error, {k: v.detach().clone() for k, v in net.state_dict().items()}
    net.load_state_dict(kept)
    return best


def fit_copied(net, optimizer, train, evaluate, epochs):
    best, kept = math.inf, None
    for epoch in range(epochs):
        train(net, optimizer)
        error = evaluate(net)
        if error < best:
            best, kept = error, copy.deepcopy(net.state_dict())
    net.load_state_dict(kept)
    return best
