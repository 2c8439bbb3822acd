import torch


def fit(model, run, validate):
    best, bad = float("inf"), 0
    for epoch in range(10):
        run(model)
        score = validate(model)
        if score > best:  # expect: SB246
            best, bad = score, 0
        else:
            bad += 1
