import torch


def run(net, loader, step, validate):
    best, best_acc, best_f1 = float("inf"), 0.0, 0.0
    for epoch in range(5):
        step(net, loader)
        loss, acc, f1 = validate(net)
        if loss < best:
            best = min(best, loss)
            torch.save(net.state_dict(), "net.pt")
        is_best = acc > best_acc
        best_acc = max(acc, best_acc)
        if f1 > best_f1:
            best_f1, best_epoch = f1, epoch
            torch.save(net.state_dict(), "f1.pt")
