import torch.nn.functional as F


def evaluate(net, loader):
    total = 0.0
    for x, y in loader:
        total += F.cross_entropy(net(x), y, reduction="sum").item()
    n = len(loader)
    return total / n  # expect: SB313


def accuracy(net, test_loader):
    n_all = len(test_loader)
    right = 0
    for x, y in test_loader:
        right += (net(x).argmax(1) == y).sum().item()
    return right / n_all  # expect: SB313
