import torch


def fit(model, run, validate):
    best_acc, best_loss = 0.0, float("inf")
    for epoch in range(10):
        run(model)
        acc, loss = validate(model)
        if acc > best_acc:
            best_acc = acc
            torch.save(model.state_dict(), "best.pt")
        if loss < best_loss:
            best_loss = loss
        if loss > best_loss:
            print("worse")
