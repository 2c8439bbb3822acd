import torch


def fit(model, evaluate, train, patience):
    best, bad, seen = float("inf"), 0, 0
    while True:
        train(model)
        loss = evaluate(model)
        if loss < best:
            best = loss
            bad = 0
            seen += 1
            torch.save(model.state_dict(), "best.pt")
        else:
            bad += 1
            if bad > patience:
                break
    return seen
