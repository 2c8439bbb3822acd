import math


def fit(net, optimizer, train, evaluate, epochs):
    best, kept = math.inf, None
    for epoch in range(epochs):
        train(net, optimizer)
        error = evaluate(net)
        if error < best:
            best, kept = error, {k: v.detach() for k, v in net.state_dict().items()}  # expect: SB242
    net.load_state_dict(kept)
    return best
