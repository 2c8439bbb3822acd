import torch


def fit(model, evaluate, train, cfg):
    best_val, no_improve = float("inf"), 0
    for epoch in range(cfg.epochs):
        train(model)
        loss = evaluate(model)
        if loss < best_val:
            best_val = loss
            torch.save(model.state_dict(), "best.pt")
        else:
            no_improve = no_improve + 1  # expect: SB248
        if no_improve > cfg.patience:
            break
