import torch


def fit_epoch(net, batches, objective, opt, grad_clip=None):
    net.train()
    seen, running = 0, 0.0
    for features, target in batches:
        opt.zero_grad()
        prediction = net(features)
        loss = objective(prediction, target)
        loss.backward()
        if grad_clip is not None:
            torch.nn.utils.clip_grad_norm_(net.parameters(), grad_clip)
        opt.step()
        running += loss.item() * len(features)
        seen += len(features)
    return running / seen


def score(net, batches):
    net.eval()
    hits, seen = 0, 0
    with torch.no_grad():
        for features, target in batches:
            hits += (net(features).argmax(dim=1) == target).sum().item()
            seen += len(target)
    return hits / seen
