import torch


def fit(model, run, validate):
    best_loss, counter = float("inf"), 0
    for epoch in range(10):
        run(model)
        loss = validate(model)
        if loss > best_loss:
            counter += 1
        else:
            best_loss = loss
            torch.save(model.state_dict(), "best.pt")
