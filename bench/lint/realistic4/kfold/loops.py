import torch


def fit_epoch(net, batches, loss_fn, optimiser):
    net.train()
    running = 0.0
    for xb, yb in batches:
        loss = step(net, xb, yb, loss_fn, optimiser)
        running += loss
    return running / len(batches)


def step(net, xb, yb, loss_fn, optimiser):
    optimiser.zero_grad()
    scores = net(xb)
    loss = loss_fn(scores, yb)
    loss.backward()
    optimiser.step()
    return loss.item()


def score(net, batches):
    net.eval()
    hits = count = 0
    with torch.no_grad():
        for xb, yb in batches:
            hits += (net(xb).argmax(dim=1) == yb).sum().item()
            count += yb.numel()
    return hits / count
